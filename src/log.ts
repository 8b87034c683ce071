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
