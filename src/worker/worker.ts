/**
 * Runs jobs on schedule, and followers of the change log also within CHECK_MS of a change. node-cron computes times
 * only, because its timers would sleep for hours after the wall clock was set back.
 */
import cron, { type ScheduledTask } from 'node-cron';
import { readLogHead, type LogHead } from '../changes/change-log.ts';
import type { Database } from '../db/database.ts';
import { lockForProcess, workerLock } from '../db/process-lock.ts';
import { listFailingFollowers, recordFailingFollowers } from '../db/readiness.ts';
import type { Log } from '../log.ts';
import { createJobRunner, hasRunWithinDay, type Job } from './job-runner.ts';

const LOCK_RETRY_MS = 1_000;
const CHECK_MS = 100;
const BUSY_RETRY_MS = 1_000;
const RETRY_FIRST_MS = 250;
const RETRY_MAX_MS = 30_000;
/** Failures in a row before an alarm; a restart causes one or two. */
const FAILING_FROM = 3;

export type OnRun = (job: string, run: { readonly ok: boolean; readonly durationMs: number }) => void;

export type Worker = ReturnType<typeof startWorker>;

export function startWorker(db: Database, log: Log, jobs: readonly Job[]) {
  let listener: OnRun = () => {};
  const runner = createJobRunner({ db, log });
  const states = jobs.map((job) => ({
    job,
    task: cron.createTask(job.schedule, () => {}, { timezone: 'UTC' }),
    nextRunAt: 0,
    isRunning: false,
    reached: undefined as LogHead | undefined,
    failures: 0,
    retryAt: 0,
    /** Another process had the lock. */
    isPostponed: false,
  }));
  const followers = states.filter(({ job }) => job.isFollower);
  let release: (() => void) | undefined;
  let checkedAt = 0;

  const run = async (state: (typeof states)[number], head: LogHead | undefined): Promise<void> => {
    state.isRunning = true;
    const { outcome, durationMs } = await runner.run(state.job);
    state.isRunning = false;
    if (outcome === 'ok' || outcome === 'failed')
      listener(state.job.name, { ok: outcome === 'ok', durationMs });
    state.isPostponed = outcome === 'busy';
    if (state.isPostponed) state.retryAt = performance.now() + BUSY_RETRY_MS;
    if (state.isPostponed || !state.job.isFollower || outcome === 'not run') return;
    if (outcome === 'ok') {
      state.reached = head;
      state.failures = 0;
    } else {
      state.retryAt = performance.now() + Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** state.failures);
      state.failures += 1;
    }
    recordFailing();
  };

  const recordFailing = (): void => {
    const failing = followers.filter(({ failures }) => failures >= FAILING_FROM).map(({ job }) => job.name);
    try {
      if (failing.join() !== listFailingFollowers(db).join())
        db.write((tx) => recordFailingFollowers(tx, failing));
    } catch (error) {
      log.error({ err: error, failing }, 'failing followers cannot be recorded');
    }
  };

  const check = (): void => {
    const now = Date.now();
    const head = findHead(db);
    for (const state of states) {
      const isDue = now >= state.nextRunAt;
      // A run that was missed is repeated once.
      if (isDue || now < checkedAt) state.nextRunAt = nextAfterNow(state.task);
      const isFree = !state.isRunning && performance.now() >= state.retryAt;
      const isBehind = head && (state.reached?.logId !== head.logId || state.reached.seq !== head.seq);
      const isNext = state.job.isFollower ? (isDue || isBehind) && isFree : isDue;
      if (isNext || (state.isPostponed && isFree)) void run(state, head);
    }
    checkedAt = now;
  };

  const tryToAct = (): void => {
    release = lockForProcess(workerLock(db.path));
    if (!release) return;
    clearInterval(timer);
    log.info('acting: the lock is ours');
    for (const state of states)
      if (state.job.isDaily && hasRunWithinDay(db, state.job.name))
        state.nextRunAt = nextAfterNow(state.task);
    timer = setInterval(check, CHECK_MS);
    check();
  };
  let timer = setInterval(tryToAct, LOCK_RETRY_MS);
  tryToAct();
  if (!release) log.info('standing by: another process has the lock');

  return {
    /** Calls this after each run from now on. */
    onRun(onRun: OnRun): void {
      listener = onRun;
    },
    get isActing(): boolean {
      return release !== undefined;
    },
    countBehind(): Record<string, number> {
      const { logId, seq } = readLogHead(db);
      return Object.fromEntries(
        followers.map(({ job, reached }) => [job.name, reached?.logId === logId ? seq - reached.seq : seq]),
      );
    },
    async end(): Promise<void> {
      clearInterval(timer);
      for (const { task } of states) await task.destroy();
      await runner.end();
      release?.();
    },
  };
}

/** Undefined while the database is unreadable, which scheduled runs report. */
function findHead(db: Database): LogHead | undefined {
  try {
    return readLogHead(db);
  } catch {
    return undefined;
  }
}

function nextAfterNow(task: ScheduledTask): number {
  const [next] = task.getNextRuns(1) as [Date];
  return Math.floor(next.getTime() / 1_000) * 1_000;
}
