/** `npm start`: migrates the real database, then runs web and worker until a signal ends them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, readConfig } from '#src/config.ts';
import { createLog } from '#src/log.ts';
import { openOperatorDatabase } from './operator/operator-database.ts';
import { EXIT_COULD_NOT_RUN } from './operator/outcome.ts';
import { supervise } from './supervisor.ts';

try {
  const config = readConfig();
  if (!existsSync(join(import.meta.dirname, '../dist/server/entry.mjs'))) {
    throw new Error('the site is not built: run "npm run build" first');
  }
  (await openOperatorDatabase(config.databasePath)).close();
  process.exitCode = await supervise({ log: createLog('start', config.logLevel) });
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${error instanceof ConfigError ? message : `cannot start: ${message}`}\n`);
  process.exitCode = EXIT_COULD_NOT_RUN;
}
