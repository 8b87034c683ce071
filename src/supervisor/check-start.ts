/** Checks the settings, the built site and the database, and migrates it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFolderProblem } from '../backups/check-backup-folder.ts';
import { ConfigError, listSettingWarnings, readConfig } from '../config.ts';
import { listMissing } from '../config/missing-settings.ts';
import { countEntries } from '../entries/entry-statistics.ts';
import { LIST_KINDS } from '../entries/entry.ts';
import { createLog } from '../log.ts';
import { openOperatorDatabase } from '../operator/console/operator-database.ts';
import { EXIT_COULD_NOT_RUN } from '../operator-error.ts';
import { readBuildState } from './build-state.ts';
import type { StartFacts } from './run-service.ts';

const PACKAGE_FILE = join(import.meta.dirname, '../../package.json');
const { version } = JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')) as { version: string };

/** @returns undefined when the service must not start; the reason is on standard error then, and the exit code is set */
export async function checkStart(): Promise<StartFacts | undefined> {
  try {
    const config = readConfig();
    const { databasePath, backups, logLevel, metricsPort, baseUrl } = config;
    const problem = backups && findFolderProblem(backups.folder, config.dataFolder);
    if (problem !== undefined) throw new ConfigError([problem]);
    const log = createLog('start', logLevel);
    const state = readBuildState();
    if (state === 'missing') throw new Error('the site is not built: run "npm run build" first');
    if (state === 'stale') log.warn('the pages were built from other sources: run "npm run build"');
    for (const warning of listSettingWarnings()) log.warn(warning);
    const missing = listMissing(config);
    if (missing.length > 0)
      log.warn({ missing }, 'settings are missing: pages leave out what they would say');
    using db = await openOperatorDatabase(databasePath, { whenMissing: 'create' });
    const entries = Object.fromEntries(LIST_KINDS.map((list) => [list, countEntries(db, list)]));
    return { logLevel, metricsPort, about: { version, baseUrl, database: databasePath, entries } };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${error instanceof ConfigError ? message : `cannot start: ${message}`}\n`);
    process.exitCode = EXIT_COULD_NOT_RUN;
    return undefined;
  }
}
