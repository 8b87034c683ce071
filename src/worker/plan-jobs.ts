/**
 * Runs jobs on schedule. node-cron computes times; the waiting is done here in short steps, because node-cron's timers
 * would sleep for hours after the wall clock was set back.
 */
import cron from 'node-cron';
import type { ScheduledTask } from 'node-cron';
import type { Job } from './job.ts';

export type Plan = ReturnType<typeof planJobs>;

const STEP_MAX_MS = 5_000;
/** Smaller differences are clock slewing. */
const JUMP_MS = 1_000;
const SECOND_MS = 1_000;

/**
 * A run that was missed because the process was busy or the clock jumped is repeated once. After a jump back a job may
 * run twice for the same time, which all jobs allow.
 */
export function planJobs(
  jobs: readonly Job[],
  run: (job: Job) => void,
  monotonicNow: () => number = () => performance.now(),
) {
  // Changes only when the wall clock is set.
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
    async end(): Promise<void> {
      clearTimeout(timer);
      for (const { schedule } of plan) await schedule.destroy();
    },
  };
}

function nextAfterNow(schedule: ScheduledTask): number {
  const [next] = schedule.getNextRuns(1) as [Date];
  return Math.floor(next.getTime() / SECOND_MS) * SECOND_MS;
}
