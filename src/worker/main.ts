/** The worker process: the only writer beside the operator's commands. */
import { existsSync } from 'node:fs';
import { ConfigError, readConfig } from '../config.ts';
import { openDatabase } from '../db/database.ts';
import { missingProblem, readSchemaState, schemaProblem } from '../db/migrate.ts';
import { truncateWal } from '../db/truncate-wal.ts';
import { createLog, createTroubleLog } from '../log.ts';
import { crashOnBug, endOnSignal, refuseToStart, reportReady } from '../process-end.ts';
import { createOutbound } from '../outbound/outbound.ts';
import { createSampler } from '../status/take-sample.ts';
import { createFollowers } from './followers.ts';
import { createJobs } from './jobs.ts';
import { answerScrapes } from '../metrics/answer-scrapes.ts';
import { createRegistry } from '../metrics/registry.ts';
import { oneByOne } from './one-by-one.ts';
import { createStatusJobs } from './status-jobs.ts';
import { createWorkerMetrics } from './worker-metrics.ts';
import type { MeterRun } from './worker-metrics.ts';
import { startWorker } from './worker.ts';

const ALIVE_MS = 5_000;

function main(): void {
  const config = readConfig();
  const log = createLog('worker', config.logLevel);
  crashOnBug(log);
  // Made here, an empty one would hide that the file is gone.
  if (!existsSync(config.databasePath)) refuseToStart(missingProblem(config.databasePath));
  const db = openDatabase(config.databasePath, 'write', { mustExist: true });
  const state = readSchemaState(db);
  if (state !== 'current') refuseToStart(schemaProblem(config.databasePath, state));
  const outbound = createOutbound();
  const takeSample = createSampler({
    settings: config,
    outbound,
    ...createTroubleLog(log),
  });
  let meterRun: MeterRun = () => {};
  const inTurn = oneByOne();
  const worker = startWorker(db, log, {
    jobs: [...createJobs(config, inTurn), ...createStatusJobs(takeSample)],
    followers: createFollowers(config, inTurn),
    onRun: (job, run) => meterRun(job, run),
  });
  if (config.metricsPort !== undefined) {
    const registry = createRegistry('worker');
    meterRun = createWorkerMetrics(registry, db, () => worker);
    answerScrapes(registry);
  }
  endOnSignal(log, async () => {
    await worker.end();
    outbound.close();
    // So that whoever copies the file alone has everything: the web process may still have it open.
    truncateWal(db);
    db.close();
  });
  log.info('started');
  reportReady({});
  // The supervisor ends a worker that is silent.
  setInterval(() => process.send?.({ alive: true }), ALIVE_MS).unref();
}

try {
  main();
} catch (error) {
  if (error instanceof ConfigError) refuseToStart(error.message);
  throw error;
}
