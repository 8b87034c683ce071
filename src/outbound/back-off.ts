/** Who is to be left alone for a while: hosts that asked for it, and hosts that keep failing. */
import { LRUCache } from 'lru-cache';

export interface BackOff {
  /** @returns how long nothing may be sent yet, in milliseconds; 0 when it may */
  waitMs(origin: string, options: { readonly afterFailures: boolean }): number;
  /** The host asked for a pause. */
  told(origin: string, pauseMs: number): void;
  /** Doubles the pause, with a random part so that many clients do not come back at once. */
  failed(origin: string): void;
  succeeded(origin: string): void;
}

interface Pause {
  /** Until when the host wants no request. */
  told: number;
  /** Until when those that count failures send none. */
  failing: number;
  failures: number;
}

const FIRST_PAUSE_MS = 1_000;
const PAUSE_MAX_MS = 5 * 60_000;
/** Hosts remembered; the oldest is forgotten first. */
const ORIGINS_MAX = 1_000;

/**
 * @param now milliseconds of a clock that never goes back
 * @param random from 0 to 1
 */
export function createBackOff(now: () => number, random: () => number = Math.random): BackOff {
  const pauses = new LRUCache<string, Pause>({ max: ORIGINS_MAX });
  const pauseOf = (origin: string): Pause => {
    const pause = pauses.get(origin) ?? { told: 0, failing: 0, failures: 0 };
    pauses.set(origin, pause);
    return pause;
  };
  return {
    waitMs(origin, { afterFailures }) {
      const pause = pauses.get(origin);
      if (!pause) return 0;
      const until = afterFailures ? Math.max(pause.told, pause.failing) : pause.told;
      return Math.max(0, Math.ceil(until - now()));
    },
    told(origin, pauseMs) {
      const pause = pauseOf(origin);
      pause.told = Math.max(pause.told, now() + pauseMs);
    },
    failed(origin) {
      const pause = pauseOf(origin);
      const longest = Math.min(PAUSE_MAX_MS, FIRST_PAUSE_MS * 2 ** pause.failures);
      pause.failures += 1;
      pause.failing = now() + longest * (0.5 + random() / 2);
    },
    succeeded(origin) {
      pauses.delete(origin);
    },
  };
}
