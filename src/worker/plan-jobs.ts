/**
 * When jobs run. node-cron says what a schedule means; the waiting is done here, in short steps, because its own timers
 * sleep until a moment of the wall clock that is hours away once somebody has set that clock back.
 */
import { performance } from 'node:perf_hooks';
import cron from 'node-cron';
import type { ScheduledTask } from 'node-cron';
import type { Job } from './job.ts';

export interface Plan {
  end(): Promise<void>;
}

/** A changed wall clock is noticed this soon. */
const STEP_MAX_MS = 5_000;
/** Less than this is the clock being trimmed, not set. */
const JUMP_MS = 1_000;
const SECOND_MS = 1_000;

interface Planned {
  readonly job: Job;
  readonly schedule: ScheduledTask;
  /** Epoch milliseconds. */
  dueAt: number;
  /** Of the clock that never goes back. */
  ranAt: number;
  /** The wall clock has jumped since the last run. */
  jumped: boolean;
}

/**
 * Late is better than not at all: a busy second must not cost a daily job its day. Of several runs that were missed one
 * is made good. After a jump of the wall clock a job waits until at least half of its usual pause is over, so that
 * it does not run twice for the same moment.
 *
 * @param monotonicNow milliseconds of a clock that never goes back
 */
export function planJobs(
  jobs: readonly Job[],
  run: (job: Job) => void,
  monotonicNow: () => number = () => performance.now(),
): Plan {
  // Differs from the last time when somebody has set the wall clock.
  const readOffset = (): number => Date.now() - monotonicNow();
  const plan = jobs.map((job): Planned => {
    const schedule = cron.createTask(job.schedule, () => {}, { timezone: 'UTC' });
    return { job, schedule, dueAt: nextAfterNow(schedule), ranAt: -Infinity, jumped: false };
  });
  let timer: NodeJS.Timeout;
  let offset = readOffset();

  const step = (): void => {
    const before = offset;
    offset = readOffset();
    const jumped = Math.abs(offset - before) > JUMP_MS;
    for (const planned of plan) {
      const { job, schedule } = planned;
      if (jumped) planned.jumped = true;
      if (Date.now() < planned.dueAt) {
        // The next moment may have become a nearer one.
        if (jumped) planned.dueAt = nextAfterNow(schedule);
        continue;
      }
      planned.dueAt = nextAfterNow(schedule);
      const now = monotonicNow();
      if (planned.jumped && now - planned.ranAt < pauseOf(schedule) / 2) continue;
      planned.ranAt = now;
      planned.jumped = false;
      run(job);
    }
    wait();
  };

  const wait = (): void => {
    const dueAt = Math.min(...plan.map((planned) => planned.dueAt));
    timer = setTimeout(step, Math.min(STEP_MAX_MS, Math.max(0, dueAt - Date.now())));
  };
  wait();
  return {
    async end() {
      clearTimeout(timer);
      for (const { schedule } of plan) await schedule.destroy();
    },
  };
}

/** Epoch milliseconds, a whole second. */
function nextAfterNow(schedule: ScheduledTask): number {
  const [next] = schedule.getNextRuns(1) as [Date];
  return Math.floor(next.getTime() / SECOND_MS) * SECOND_MS;
}

/** Milliseconds between the next two runs. */
function pauseOf(schedule: ScheduledTask): number {
  const [first, second] = schedule.getNextRuns(2) as [Date, Date];
  return second.getTime() - first.getTime();
}
