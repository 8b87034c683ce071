/** How many calls a second may leave: what is not used is not saved up beyond one second. */
export interface CallBudget {
  /** @returns whether a call may be made now */
  take(): boolean;
}

/** @param now milliseconds of a clock that never goes back */
export function createCallBudget(callsPerSecond: number, now: () => number): CallBudget {
  let left = callsPerSecond;
  let at = now();
  return {
    take() {
      const time = now();
      left = Math.min(callsPerSecond, left + ((time - at) / 1_000) * callsPerSecond);
      at = time;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
