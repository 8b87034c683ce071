/** When jobs and followers run. The clock is a fake; locks are in tests/journeys/two-workers.test.ts. */
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readLogHead, renewLogId } from '#src/changes/change-log.ts';
import { openDatabase, type Database } from '#src/db/database.ts';
import { listFailingFollowers, recordFailingFollowers } from '#src/db/readiness.ts';
import type { Job } from '#src/worker/job-runner.ts';
import { startWorker, type Worker } from '#src/worker/worker.ts';
import { appendChange } from '../../support/change-log.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
const NOON = Date.parse('2030-05-06T12:00:00.400Z');
const NIGHT = Date.parse('2030-05-06T03:00:00.400Z');

let db: Database;
let workers: Worker[];
let runs: string[];
let logged: { msg: string; job?: string }[];

beforeEach(async () => {
  db = await makeDatabase();
  workers = [];
  runs = [];
  logged = [];
  const timers = ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const;
  vi.useFakeTimers({ toFake: ['Date', 'performance', ...timers] });
});
afterEach(async () => {
  for (const worker of workers) await worker.end();
  vi.useRealTimers();
});

function start(...jobs: readonly Job[]): Worker {
  const log = pino({}, { write: (line) => logged.push(JSON.parse(line) as { msg: string }) });
  const worker = startWorker(db, log, jobs);
  workers.push(worker);
  return worker;
}

function makeJob(name: string, schedule: string, facts: Partial<Job> = {}): Job {
  return { name, schedule, deadlineMs: MINUTE, run: () => void runs.push(name), ...facts };
}

/** Notes up to which change it was called; fails a given number of times. */
function makeFollower(name: string, failures = 0): Job & { seen: number[] } {
  const seen: number[] = [];
  const run = (): void => {
    seen.push(readLogHead(db).seq);
    if (seen.length <= failures) throw new Error('no luck');
  };
  return { ...makeJob(name, '0 0 0 1 1 *', { isFollower: true, run }), seen };
}

async function pass(ms: number): Promise<string[]> {
  const before = runs.length;
  await vi.advanceTimersByTimeAsync(ms);
  return runs.slice(before);
}

/** Somebody sets the wall clock; the timers go on. */
const jump = (ms: number) => vi.setSystemTime(Date.now() + ms);

function change(count = 1): void {
  for (let made = 0; made < count; made += 1)
    appendChange(db, { at: 0, op: 'added', list: 'scammers', entry_id: `entry ${made}` });
}

describe('jobs', () => {
  const often = makeJob('often', '*/10 * * * * *');
  const hourly = makeJob('hourly', '0 17 * * * *');
  const daily = makeJob('daily', '0 29 3 * * *', { isDaily: true });

  it('run at the start and at the times of their schedules', async () => {
    vi.setSystemTime(NIGHT);
    start(often, hourly, daily);
    expect(await pass(MINUTE)).toHaveLength(3 + 6);
    expect((await pass(30 * MINUTE)).filter((name) => name !== 'often')).toEqual(['hourly', 'daily']);
  });

  it('do not run at a start when they are daily and ran within a day', async () => {
    vi.setSystemTime(NOON);
    const first = start(hourly, daily);
    expect(await pass(SECOND)).toEqual(['hourly', 'daily']);
    await first.end();
    const second = start(hourly, daily);
    expect(await pass(SECOND)).toEqual(['hourly']);
    await second.end();
    for (const [at, ran] of [
      [NOON + 23 * HOUR, ['hourly']],
      [NOON + 25 * HOUR, ['hourly', 'daily']],
      // The clock was set back behind the last run.
      [NOON, ['hourly', 'daily']],
    ] as const) {
      vi.setSystemTime(at);
      const next = start(hourly, daily);
      expect(await pass(SECOND)).toEqual(ran);
      await next.end();
    }
  });

  it('are repeated each second while another process has the lock, which is no failure', async () => {
    vi.setSystemTime(NOON);
    const other = openDatabase(db.path, 'write');
    const real = openDatabase(db.path, 'write');
    real.connection.pragma('busy_timeout = 0');
    const write = (name: string) => () => real.write(() => void runs.push(name));
    start(
      makeJob('daily', '0 29 3 * * *', { isDaily: true, run: write('daily') }),
      makeJob('follower', '0 29 3 * * *', { isFollower: true, run: write('follower') }),
    );
    other.connection.exec('BEGIN IMMEDIATE');
    db.connection.pragma('busy_timeout = 0');
    expect(await pass(10 * SECOND)).toEqual([]);
    other.connection.exec('COMMIT');
    expect(await pass(SECOND)).toEqual(['daily', 'follower']);
    expect(await pass(10 * SECOND)).toEqual([]);
    expect(logged.map(({ msg }) => msg)).not.toContain('job failed');
    expect(listFailingFollowers(db)).toEqual([]);
  });

  it.each([-2 * HOUR, -3 * 24 * HOUR, -25 * SECOND])('go on after a step of %i ms', async (ms) => {
    vi.setSystemTime(NOON);
    start(often);
    await pass(12 * SECOND);
    jump(ms);
    expect((await pass(15 * SECOND)).length).toBeGreaterThanOrEqual(1);
    expect((await pass(MINUTE)).length).toBe(6);
  });

  it('run once for the times that the clock passed over', async () => {
    vi.setSystemTime(NIGHT);
    start(hourly, daily);
    expect(await pass(18 * MINUTE)).toEqual(['hourly', 'daily', 'hourly']);
    jump(2 * HOUR);
    expect(await pass(10 * SECOND)).toEqual(['hourly', 'daily']);
    expect(await pass(HOUR)).toEqual(['hourly']);
  });
});

describe('a follower', () => {
  it('runs at the start, also when there are no changes yet, and then within a second of each change', async () => {
    const follower = makeFollower('told');
    const worker = start(follower);
    await pass(0);
    expect(follower.seen).toEqual([0]);
    await pass(SECOND);
    change(3);
    expect(worker.countBehind()).toEqual({ told: 3 });
    await pass(SECOND);
    expect(follower.seen).toEqual([0, 3]);
    change();
    await pass(SECOND);
    expect(follower.seen).toEqual([0, 3, 4]);
    expect(worker.countBehind()).toEqual({ told: 0 });
    await pass(2 * SECOND);
    expect(follower.seen).toHaveLength(3);
  });

  it('runs again on a restored database, and when changes are gone', async () => {
    const follower = makeFollower('restored');
    change(2);
    start(follower);
    await pass(SECOND);
    db.write((tx) => renewLogId(tx));
    await pass(SECOND);
    expect(follower.seen).toEqual([2, 2]);
    db.connection.exec('DELETE FROM changes WHERE seq > 1');
    await pass(SECOND);
    expect(follower.seen).toEqual([2, 2, 1]);
  });

  it('is tried again after a failure with all that is new by then, and stops nobody else', async () => {
    const failing = makeFollower('failing', 2);
    const other = makeFollower('other');
    start(failing, other);
    await pass(50);
    change();
    await pass(2 * SECOND);
    expect(failing.seen).toHaveLength(3);
    expect(failing.seen.at(-1)).toBe(1);
    expect(logged.filter(({ msg, job }) => msg === 'job failed' && job === 'failing')).toHaveLength(2);
    expect(other.seen).toEqual([0, 1]);
  });

  it('is recorded after its third failure in a row until a run succeeds', async () => {
    const failing = makeFollower('failing', 4);
    start(failing);
    const recorded: string[][] = [];
    for (let ran = 0; ran < 5;) {
      await pass(100);
      if (failing.seen.length > ran) recorded.push(listFailingFollowers(db));
      ran = failing.seen.length;
    }
    expect(recorded).toEqual([[], [], ['failing'], ['failing'], []]);
  });

  it('is forgotten with the first run when an earlier worker recorded it as failing', async () => {
    db.write((tx) => recordFailingFollowers(tx, ['of another version']));
    start(makeFollower('well'));
    await pass(SECOND);
    expect(listFailingFollowers(db)).toEqual([]);
  });

  it('goes on when the change log can be read again', async () => {
    const follower = makeFollower('blind');
    db.connection.exec('ALTER TABLE changes RENAME TO gone');
    start(follower);
    await pass(SECOND);
    expect(follower.seen).toEqual([]);
    expect(logged.map(({ msg }) => msg)).toContain('job failed');
    db.connection.exec('ALTER TABLE gone RENAME TO changes');
    await pass(10 * SECOND);
    expect(follower.seen.at(-1)).toBe(0);
  });
});
