/** `npm start`: migrates the real database, then runs web and worker until a signal ends them. */
import { ConfigError, readConfig } from '#src/config.ts';
import { createLog } from '#src/log.ts';
import { readBuildState } from './build.ts';
import { openFirstDatabase } from './operator/operator-database.ts';
import { EXIT_COULD_NOT_RUN } from './operator/outcome.ts';
import { supervise } from './supervisor.ts';

try {
  const config = readConfig();
  const log = createLog('start', config.logLevel);
  const state = readBuildState();
  if (state === 'missing') throw new Error('the site is not built: run "npm run build" first');
  if (state === 'stale') log.warn('the pages were built from other sources or settings: run "npm run build"');
  (await openFirstDatabase(config.databasePath)).close();
  process.exitCode = await supervise({ log, metricsPort: config.metricsPort });
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${error instanceof ConfigError ? message : `cannot start: ${message}`}\n`);
  process.exitCode = EXIT_COULD_NOT_RUN;
}
