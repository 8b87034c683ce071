/** Web and worker of a database that is ready. What this file loads stays in memory as long as the service runs. */
import { createLog } from '../log.ts';
import { supervise } from './supervisor.ts';

/** From check-start.ts, by an IPC channel. */
export interface StartFacts {
  readonly logLevel: string;
  readonly metricsPort?: number | undefined;
  /** For the line of the log. */
  readonly about: Readonly<Record<string, unknown>>;
}

/** @param codeFolder for Node's compile cache. @returns the exit code */
export function runService(
  { logLevel, metricsPort, about }: StartFacts,
  codeFolder: string,
): Promise<number> {
  const log = createLog('start', logLevel);
  return supervise({
    log,
    metricsPort,
    codeFolder,
    onListening: ({ host, port }) => log.info({ address: `${host}:${port}`, ...about }, 'Czujka serves'),
  });
}
