/**
 * Runs jobs on schedule. node-cron computes times; the waiting is done here in short steps, because node-cron's timers
 * would sleep for hours after the wall clock was set back.
 */
import cron, { type ScheduledTask } from 'node-cron';
import type { Job } from './job.ts';

export type Schedule = ReturnType<typeof scheduleJobs>;

const STEP_MAX_MS = 5_000;
/** Smaller differences are clock slewing. */
const JUMP_MS = 1_000;
const SECOND_MS = 1_000;

/**
 * A run that was missed because the process was busy or the clock jumped is repeated once. After a jump back a job may
 * run twice for the same time, which all jobs allow.
 */
export function scheduleJobs(
  jobs: readonly Job[],
  run: (job: Job) => void,
  monotonicNow: () => number = () => performance.now(),
) {
  // Changes only when the wall clock is set.
  const readOffset = (): number => Date.now() - monotonicNow();
  const scheduled = jobs.map((job) => {
    const task = cron.createTask(job.schedule, () => {}, { timezone: 'UTC' });
    return { job, task, nextRunAt: nextAfterNow(task) };
  });
  let timer: NodeJS.Timeout;
  let offset = readOffset();

  const step = (): void => {
    const before = offset;
    offset = readOffset();
    const clockJumped = Math.abs(offset - before) > JUMP_MS;
    for (const one of scheduled) {
      const isDue = Date.now() >= one.nextRunAt;
      if (isDue || clockJumped) one.nextRunAt = nextAfterNow(one.task);
      if (isDue) run(one.job);
    }
    wait();
  };

  const wait = (): void => {
    const nextRunAt = Math.min(...scheduled.map((one) => one.nextRunAt));
    timer = setTimeout(step, Math.min(STEP_MAX_MS, Math.max(0, nextRunAt - Date.now())));
  };
  wait();
  return {
    async end(): Promise<void> {
      clearTimeout(timer);
      for (const { task } of scheduled) await task.destroy();
    },
  };
}

function nextAfterNow(task: ScheduledTask): number {
  const [next] = task.getNextRuns(1) as [Date];
  return Math.floor(next.getTime() / SECOND_MS) * SECOND_MS;
}
