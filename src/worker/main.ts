import { existsSync } from 'node:fs';
import { listBackups } from '../backups/backup-files.ts';
import { ConfigError, readConfig } from '../config.ts';
import { openDatabase } from '../db/database.ts';
import { missingProblem, readSchemaState, schemaProblem } from '../db/migrate.ts';
import { retentionTime } from '../db/retention-time.ts';
import { truncateWal } from '../db/truncate-wal.ts';
import { createLog } from '../log.ts';
import { crashOnBug, endOnSignal, refuseToStart, reportReady } from '../process-end.ts';
import { createOutbound } from '../outbound/outbound.ts';
import { createOutageLog } from '../outbound/outage-log.ts';
import { createSampler } from '../status/take-sample.ts';
import { createJobs, createStatusJobs } from './jobs.ts';
import { answerScrapes } from '../metrics/answer-scrapes.ts';
import { createRegistry } from '../metrics/registry.ts';
import { createWorkerMetrics } from './worker-metrics.ts';
import { startWorker } from './worker.ts';

function main(): void {
  const config = readConfig();
  const log = createLog('worker', config.logLevel);
  crashOnBug(log);
  // A new, empty database would hide that the file is missing.
  if (!existsSync(config.databasePath)) refuseToStart(missingProblem(config.databasePath));
  const db = openDatabase(config.databasePath, 'write', { mustExist: true });
  const state = readSchemaState(db);
  if (state !== 'current') refuseToStart(schemaProblem(config.databasePath, state, db));
  const backups = config.backups ? listBackups(config.backups.folder).map(({ madeAt }) => madeAt) : [];
  // Before a job writes the time of a wrong clock, which would be evidence.
  db.write((tx) => retentionTime(tx, Date.now(), backups));
  const outbound = createOutbound();
  const takeSample = createSampler({ settings: config, outbound, outages: createOutageLog(log) });
  const worker = startWorker(db, log, [...createJobs(config), ...createStatusJobs(takeSample)]);
  if (config.metricsPort !== undefined) {
    const registry = createRegistry('worker');
    worker.onRun(createWorkerMetrics(registry, db, worker, config.operator.appealsAnswerDays));
    answerScrapes(registry);
  }
  endOnSignal(log, async () => {
    await worker.end();
    // The web process may still have the file open, and a copy of the file alone must be complete.
    truncateWal(db);
    db.close();
  });
  log.info('started');
  reportReady({});
}

try {
  main();
} catch (error) {
  if (error instanceof ConfigError) refuseToStart(error.message);
  throw error;
}
