/** Structured logging: one JSON object a line on standard output. Client addresses and secrets never go in. */
import pino from 'pino';

export type Log = pino.Logger;

/** @param component which process speaks: `web`, `worker`, `start` */
export function createLog(component: string, level = 'info'): Log {
  return pino(
    {
      level,
      base: { component },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    // Nothing is lost, and nothing is out of order, when the process ends.
    pino.destination({ dest: 1, sync: true }),
  );
}

/** A service outside is told of when it fails, when it fails in another way, and when it is well again. */
export function createTroubleLog(log: Log): {
  readonly report: (part: string, reason: string) => void;
  readonly recovered: (part: string) => void;
} {
  return {
    report: (part, reason) => log.warn({ part, reason }, 'not well'),
    recovered: (part) => log.info({ part }, 'well again'),
  };
}
