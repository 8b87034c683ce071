/**
 * The leader among the workers of a database holds the lock, runs jobs on schedule (schedule-jobs.ts) and follows the change
 * log (follow-changes.ts).
 */
import { dirname, join } from 'node:path';
import type { Database } from '../db/database.ts';
import { lockForProcess } from '../db/process-lock.ts';
import type { Log } from '../log.ts';
import { followChanges, type Follower } from './follow-changes.ts';
import { createJobRunner, type Job } from './job.ts';
import { isMissed, rememberRuns } from './daily-jobs.ts';
import { scheduleJobs, type Schedule } from './schedule-jobs.ts';

/** The system releases the lock when its holder ends. */
const RETRY_MS = 1_000;

export type Worker = ReturnType<typeof startWorker>;

export interface WorkerOptions {
  readonly jobs: readonly Job[];
  readonly followers?: readonly Follower[];
  readonly onRun?: Parameters<typeof createJobRunner>[2];
}

/** The leader's lock file. Its process must not open it a second time, because closing it would release the lock. */
export function workerLock(databasePath: string): string {
  return join(dirname(databasePath), 'worker.lock');
}

export function startWorker(db: Database, log: Log, { jobs, followers = [], onRun }: WorkerOptions) {
  const runner = createJobRunner({ db, log }, undefined, onRun);
  const following = followChanges(db, log, runner, followers);
  let release: (() => void) | undefined;
  let schedule: Schedule | undefined;

  const tryToAct = (): void => {
    release = lockForProcess(workerLock(db.path));
    if (!release) return;
    clearInterval(waiting);
    log.info('acting: the lock is ours');
    const run = (job: Job): void => void runner.run(rememberRuns(job));
    for (const job of jobs) if (isMissed(db, job)) run(job);
    following.start();
    schedule = scheduleJobs(jobs, run);
  };
  const waiting = setInterval(tryToAct, RETRY_MS);
  tryToAct();
  if (!release) log.info('standing by: another worker acts');

  return {
    get isActing(): boolean {
      return release !== undefined;
    },
    countBehind: (): Record<string, number> => following.countBehind(),
    async end(): Promise<void> {
      clearInterval(waiting);
      following.stop();
      await schedule?.end();
      await runner.end();
      release?.();
    },
  };
}
