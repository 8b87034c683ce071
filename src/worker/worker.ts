/**
 * The worker: of those that run over one database, the one that has the lock acts. It runs the jobs on schedule (jobs.ts,
 * plan-jobs.ts) and follows the changes (followers.ts). main.ts is its process; erase-removed.ts knows everything that may
 * hold something of an entry.
 */
import { dirname, join } from 'node:path';
import type { Database } from '../db/database.ts';
import { lockForProcess } from '../db/process-lock.ts';
import type { Log } from '../log.ts';
import { followChanges } from './follow-changes.ts';
import type { Follower } from './follow-changes.ts';
import { createJobRunner } from './job.ts';
import { isMissed, rememberRuns } from './daily-jobs.ts';
import type { Job } from './job.ts';
import { planJobs } from './plan-jobs.ts';
import type { Plan } from './plan-jobs.ts';

/** How often one that stands by tries to take the lock, which the system gives back when its holder ends. */
const RETRY_MS = 1_000;

export interface Worker {
  readonly isActing: boolean;
  /** Changes that each follower has not taken over yet. */
  countBehind(): Record<string, number>;
  /** Ends running jobs and leaves the lock to others. */
  end(): Promise<void>;
}

export interface WorkerOptions {
  readonly jobs: readonly Job[];
  readonly followers?: readonly Follower[];
  /** See createJobRunner. */
  readonly onRun?: Parameters<typeof createJobRunner>[2];
}

/** The lock file of the worker that acts. Its process may not open it a second time: closing that would release the lock. */
export function workerLock(databasePath: string): string {
  return join(dirname(databasePath), 'worker.lock');
}

export function startWorker(db: Database, log: Log, { jobs, followers = [], onRun }: WorkerOptions): Worker {
  const runner = createJobRunner({ db, log }, undefined, onRun);
  const following = followChanges(db, log, runner, followers);
  let release: (() => void) | undefined;
  let plan: Plan | undefined;

  const tryToAct = (): void => {
    release = lockForProcess(workerLock(db.path));
    if (!release) return;
    clearInterval(waiting);
    log.info('acting: the lock is ours');
    const run = (job: Job): void => void runner.run(rememberRuns(job));
    // What was missed while no worker ran is made good at once.
    for (const job of jobs) if (isMissed(db, job)) run(job);
    following.start();
    plan = planJobs(jobs, run);
  };
  const waiting = setInterval(tryToAct, RETRY_MS);
  tryToAct();
  if (!release) log.info('standing by: another worker acts');

  return {
    get isActing() {
      return release !== undefined;
    },
    countBehind: () => following.countBehind(),
    async end() {
      clearInterval(waiting);
      following.stop();
      await plan?.end();
      await runner.end();
      release?.();
    },
  };
}
