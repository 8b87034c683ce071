import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { scheduleJobs, type Schedule } from '#src/worker/schedule-jobs.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const NOON = Date.parse('2030-05-06T12:00:00.400Z');

const SCHEDULES = {
  often: '*/10 * * * * *',
  hourly: '0 17 * * * *',
  daily: '0 29 3 * * *',
} as const;
type Name = keyof typeof SCHEDULES;

let runs: Name[];
let schedule: Schedule;
/** By so much the wall clock was set. */
let jumped: number;

/** @param names of the jobs; the frequent one would make a day slow */
function begin(at: number = NOON, names: readonly Name[] = ['hourly', 'daily']): void {
  vi.setSystemTime(at);
  const jobs = names.map((name) => ({
    name,
    schedule: SCHEDULES[name],
    deadlineMs: MINUTE,
    run: () => {},
  }));
  schedule = scheduleJobs(
    jobs,
    ({ name }) => void runs.push(name as Name),
    () => Date.now() - jumped,
  );
}

/** @returns what ran meanwhile */
async function pass(ms: number): Promise<Name[]> {
  const before = runs.length;
  await vi.advanceTimersByTimeAsync(ms);
  return runs.slice(before);
}

/** Somebody sets the wall clock; the monotonic one goes on. */
function jump(ms: number): void {
  jumped += ms;
  vi.setSystemTime(Date.now() + ms);
}

beforeEach(() => {
  runs = [];
  jumped = 0;
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  await schedule.end();
  vi.useRealTimers();
});

describe('jobs', () => {
  it('run at the moments of their schedules', async () => {
    begin(NOON, ['often']);
    expect(await pass(MINUTE)).toHaveLength(6);
    await schedule.end();
    begin();
    expect(await pass(24 * HOUR)).toHaveLength(25);
  });

  it.each([-2 * HOUR, -3 * 24 * HOUR, -25 * SECOND])(
    'go on soon after the clock went back by %i ms',
    async (ms) => {
      begin(NOON, ['often']);
      await pass(12 * SECOND);
      jump(ms);
      expect((await pass(15 * SECOND)).length).toBeGreaterThanOrEqual(1);
      expect((await pass(HOUR)).length).toBeGreaterThanOrEqual(359);
    },
  );

  it('run once a jump forward for what it passed over', async () => {
    begin(Date.parse('2030-05-06T03:00:00.400Z'));
    await pass(18 * MINUTE);
    jump(2 * HOUR);
    expect(await pass(10 * SECOND)).toEqual(['hourly', 'daily']);
    expect(await pass(HOUR)).toEqual(['hourly']);
  });

  it('take no time over a jump by many years', async () => {
    begin(0, ['often']);
    await pass(MINUTE);
    const startedAt = process.hrtime.bigint();
    jump(NOON);
    expect((await pass(10 * SECOND)).length).toBeLessThanOrEqual(2);
    expect(Number(process.hrtime.bigint() - startedAt) / 1e6).toBeLessThan(1_000);
  });

  it('run at the next moment after the clock went back behind the last one', async () => {
    begin(Date.parse('2030-05-06T03:00:00.400Z'));
    expect(await pass(31 * MINUTE)).toEqual(['hourly', 'daily']);
    jump(-2 * HOUR);
    expect(await pass(HOUR)).toEqual(['hourly']);
  });
});
