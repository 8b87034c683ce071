/**
 * The worker: holds or awaits the lease (lease.ts); while it holds it, it runs the jobs on schedule (jobs.ts, plan-jobs.ts)
 * and follows the changes (followers.ts). main.ts is its process; erase-removed.ts knows everything that may hold something
 * of an entry.
 */
import { randomUUID } from 'node:crypto';
import type { Database } from '../db/database.ts';
import type { Log } from '../log.ts';
import { followChanges } from './follow-changes.ts';
import type { Follower } from './follow-changes.ts';
import { createJobRunner } from './job.ts';
import type { Job } from './job.ts';
import { createLease } from './lease.ts';
import { planJobs } from './plan-jobs.ts';

/** Another worker takes over this long after the last sign of life. */
export const LEASE_MS = 15_000;

export interface Worker {
  /** Whether it holds the lease. */
  readonly isActing: boolean;
  /** Ends running jobs and leaves the lease to others. */
  end(): Promise<void>;
}

export interface WorkerOptions {
  readonly jobs: readonly Job[];
  readonly followers?: readonly Follower[];
  readonly leaseMs?: number;
  /** As of createJobRunner. */
  readonly onRun?: Parameters<typeof createJobRunner>[2];
}

export function startWorker(
  db: Database,
  log: Log,
  { jobs, followers = [], leaseMs = LEASE_MS, onRun }: WorkerOptions,
): Worker {
  const lease = createLease(db, `${process.pid}-${randomUUID()}`, leaseMs);
  const runner = createJobRunner({ db, lease, log }, undefined, onRun);
  const following = followChanges(db, log, runner, followers);
  let held = false;

  const renew = (): void => {
    const before = held;
    try {
      held = lease.hold();
    } catch (error) {
      // A full disk or a long lock must not end the worker: it stands back and tries again.
      held = false;
      log.error({ err: error }, 'lease cannot be renewed');
    }
    if (held === before) return;
    log.info(held ? 'acting: the lease is ours' : 'standing by: another worker holds the lease');
    // Everything once at the beginning: what was missed while no worker ran is made good at once.
    if (held) {
      for (const job of jobs) void runner.run(job);
      following.begin();
    } else {
      following.pause();
    }
  };

  const plan = planJobs(jobs, (job) => {
    if (held) void runner.run(job);
  });
  renew();
  if (!held) log.info('standing by: another worker holds the lease');
  const renewal = setInterval(renew, leaseMs / 3);

  return {
    get isActing() {
      return held;
    },
    async end() {
      clearInterval(renewal);
      following.pause();
      await plan.end();
      await runner.end();
      if (held) lease.release();
    },
  };
}
