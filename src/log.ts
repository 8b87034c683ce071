/** JSON lines on standard output, without client addresses and secrets. */
import pino from 'pino';

export type Log = pino.Logger;

/** @param component the process: `web`, `worker`, `start` */
export function createLog(component: string, level = 'info'): Log {
  return pino(
    {
      level,
      base: { component },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    // Synchronous, so that no line is lost when the process ends.
    pino.destination({ dest: 1, sync: true }),
  );
}

/** Logs when an outside service fails, fails for another reason, and recovers. */
export function createTroubleLog(log: Log) {
  const reasons = new Map<string, string>();
  return {
    report: (part: string, reason: string): void => {
      if (reasons.get(part) !== reason) log.warn({ part, reason }, 'not well');
      reasons.set(part, reason);
    },
    recovered: (part: string): void => {
      if (reasons.delete(part)) log.info({ part }, 'well again');
    },
  };
}
