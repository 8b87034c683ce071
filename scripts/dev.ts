/**
 * `npm run dev`: the site from its sources, with the worker, over the demo's data (data/demo or --data FOLDER), or over
 * DATABASE_PATH with the service's settings. Pages reload by themselves; other changes restart both processes.
 */
import { mkdtempSync, readFileSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '#src/config.ts';
import { createLog } from '#src/log.ts';
import { DEMO_FOLDER, startDemoService } from './demo/demo-service.ts';
import { openOperatorDatabase } from '#src/operator/console/operator-database.ts';
import { supervise } from '#src/supervisor/supervisor.ts';
import { EXIT_COULD_NOT_RUN } from '#src/operator-error.ts';

const SOURCES = join(import.meta.dirname, '../src');
/** Vite reloads these files. */
const OF_PAGES = /\.astro$|^(?:browser|components|layouts|public|styles)\//;

let isReady = false;
let end = (): void => {};
try {
  const { data } = parseArgs({ options: { data: { type: 'string', default: DEMO_FOLDER } } }).values;
  const { isDatabaseNamed, databasePath } = readConfig();
  const demo = isDatabaseNamed ? undefined : await startDemoService(resolve(data));
  if (!demo) (await openOperatorDatabase(databasePath, { whenMissing: 'create' })).close();
  const pidFolder = demo ? resolve(data) : mkdtempSync(join(tmpdir(), 'czujka-dev-'));
  const watcher = watch(SOURCES, { recursive: true }, (_event, file) => {
    if (!isReady || file === null || OF_PAGES.test(file)) return;
    for (const name of ['web', 'worker']) endProcess(join(pidFolder, `${name}.pid`));
  });
  end = () => {
    watcher.close();
    demo?.close();
    if (!demo) rmSync(pidFolder, { recursive: true });
  };
  process.exitCode = await supervise({
    log: createLog('start', 'warn'),
    environment: demo?.settings ?? {},
    pidFolder,
    webFile: join(import.meta.dirname, 'dev/dev-server.ts'),
    onListening: ({ host, port }) => {
      isReady = true;
      process.stdout.write(`http://${host}:${port} serves ${demo ? "the demo's data" : databasePath}\n`);
    },
  });
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : String(error)}\n`);
  process.exitCode = EXIT_COULD_NOT_RUN;
} finally {
  end();
}

/** The supervisor starts the process again. */
function endProcess(pidFile: string): void {
  try {
    process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGTERM');
  } catch {
    // The process has ended already, or is not started yet.
  }
}
