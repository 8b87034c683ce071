/**
 * When jobs run. node-cron says what a schedule means; the waiting is done here, in short steps, because its own timers
 * sleep until a moment of the wall clock that is hours away after that clock was set back.
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

/**
 * A moment that passed while the process was busy, or while the wall clock jumped over it, is made good once. After a jump
 * back a job may run a second time for the same moment: all jobs allow that.
 *
 * @param monotonicNow milliseconds of a clock that never goes back
 */
export function planJobs(
  jobs: readonly Job[],
  run: (job: Job) => void,
  monotonicNow: () => number = () => performance.now(),
): Plan {
  // Differs from the last time when the wall clock was set.
  const readOffset = (): number => Date.now() - monotonicNow();
  const plan = jobs.map((job) => {
    const schedule = cron.createTask(job.schedule, () => {}, { timezone: 'UTC' });
    return { job, schedule, dueAt: nextAfterNow(schedule) };
  });
  let timer: NodeJS.Timeout;
  let offset = readOffset();

  const step = (): void => {
    const before = offset;
    offset = readOffset();
    const jumped = Math.abs(offset - before) > JUMP_MS;
    for (const planned of plan) {
      const isDue = Date.now() >= planned.dueAt;
      if (isDue || jumped) planned.dueAt = nextAfterNow(planned.schedule);
      if (isDue) run(planned.job);
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
