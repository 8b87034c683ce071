/** The web process and the worker as production starts them, with these settings and no others. */
import { join } from 'node:path';
import type { RunningProcess } from './run-process.ts';
import { startProcess } from './start-process.ts';
import { makeFolder } from './temporary-database.ts';

const SERVER = join(import.meta.dirname, '../../src/server.ts');
const WORKER = join(import.meta.dirname, '../../src/worker/main.ts');

/** Called inside a test. */
export function runServer(settings: Readonly<Record<string, string>>): RunningProcess {
  return startProcess(SERVER, {
    // A developer's .env does not belong to the tests.
    cwd: makeFolder(),
    settings: { PORT: '0', LOG_LEVEL: 'info', ...settings },
  });
}

export async function startServer(
  settings: Readonly<Record<string, string>>,
): Promise<RunningProcess & { readonly port: number }> {
  const server = runServer(settings);
  const { port } = await server.logged({ msg: 'listening' });
  return { ...server, port: port as number };
}

/** Called inside a test. */
export function runWorker(
  databasePath: string,
  settings: Readonly<Record<string, string>> = {},
): RunningProcess {
  return startProcess(WORKER, {
    cwd: makeFolder(),
    settings: { DATABASE_PATH: databasePath, LOG_LEVEL: 'debug', ...settings },
  });
}
