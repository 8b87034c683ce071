/** `npm start`: migrates the real database, then runs web and worker until a signal ends them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFolderProblem } from '../backups/check-backup-folder.ts';
import { ConfigError, listSettingWarnings, readConfig } from '../config.ts';
import { listMissing } from '../config/missing-settings.ts';
import { countEntries } from '../entries/count-entries.ts';
import { LIST_KINDS } from '../entries/entry.ts';
import { createLog } from '../log.ts';
import { openFirstDatabase } from '../operator/console/operator-database.ts';
import { EXIT_COULD_NOT_RUN } from '../operator/console/outcome.ts';
import { readBuildState } from './build-state.ts';
import { supervise } from './supervisor.ts';

const PACKAGE_FILE = join(import.meta.dirname, '../../package.json');
const { version } = JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')) as { version: string };

try {
  const config = readConfig();
  const problem = config.backups && findFolderProblem(config.backups.folder, config.dataFolder);
  if (problem !== undefined) throw new ConfigError([problem]);
  const log = createLog('start', config.logLevel);
  const state = readBuildState();
  if (state === 'missing') throw new Error('the site is not built: run "npm run build" first');
  if (state === 'stale') log.warn('the pages were built from other sources: run "npm run build"');
  for (const warning of listSettingWarnings()) log.warn(warning);
  const missing = listMissing(config);
  if (missing.length > 0) log.warn({ missing }, 'settings are missing: pages leave out what they would say');
  const db = await openFirstDatabase(config.databasePath);
  const entries = Object.fromEntries(LIST_KINDS.map((list) => [list, countEntries(db, list)]));
  db.close();
  process.exitCode = await supervise({
    log,
    metricsPort: config.metricsPort,
    onListening: ({ host, port }) =>
      log.info(
        {
          version,
          address: `${host}:${port}`,
          baseUrl: config.baseUrl,
          database: config.databasePath,
          entries,
        },
        'Czujka serves',
      ),
  });
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${error instanceof ConfigError ? message : `cannot start: ${message}`}\n`);
  process.exitCode = EXIT_COULD_NOT_RUN;
}
