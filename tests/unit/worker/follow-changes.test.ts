import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { appendChange } from '#src/changes/append-change.ts';
import { readLogHead, renewHistory } from '#src/changes/log-head.ts';
import type { Database } from '#src/db/database.ts';
import { listFailingFollowers, recordFailingFollowers } from '#src/db/readiness.ts';
import { followChanges, type Follower, type Following } from '#src/worker/follow-changes.ts';
import { createJobRunner, type JobRunner } from '#src/worker/job.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

let db: Database;
let runner: JobRunner;
let lines: { msg: string; job?: string }[];
const started: Following[] = [];

beforeEach(async () => {
  db = await makeDatabase();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance'] });
  lines = [];
  const log = pino({}, { write: (line) => lines.push(JSON.parse(line) as { msg: string }) });
  runner = createJobRunner({ db, log });
  follow = (...followers) => {
    const following = followChanges(db, log, runner, followers);
    started.push(following);
    following.start();
    return following;
  };
});
afterEach(async () => {
  for (const following of started.splice(0)) following.stop();
  await runner.end();
  vi.useRealTimers();
  db.close();
});

let follow: (...followers: Follower[]) => Following;

function change(count = 1): void {
  for (let made = 0; made < count; made += 1) {
    appendChange(db, { at: 0, op: 'added', list: 'scammers', entryId: `entry ${made}` });
  }
}

/** Notes up to which change it was called; fails a given number of times. */
function makeFollower(name: string, failures = 0): Follower & { seen: number[] } {
  const seen: number[] = [];
  let left = failures;
  return {
    name,
    deadlineMs: 5_000,
    seen,
    run: () => {
      seen.push(readLogHead(db).seq);
      left -= 1;
      if (left >= 0) throw new Error('no luck');
    },
  };
}

/** Lets time pass until it holds. @returns milliseconds that have passed */
async function until(holds: () => boolean): Promise<number> {
  for (let passed = 0; ; passed += 10) {
    if (holds()) return passed;
    expect(passed, 'milliseconds').toBeLessThan(5_000);
    await vi.advanceTimersByTimeAsync(10);
  }
}

async function waitFor({ seen }: { seen: number[] }, expected: readonly number[]): Promise<void> {
  await until(() => seen.length >= expected.length);
  expect(seen).toEqual(expected);
}

describe('a follower', () => {
  it('runs once at the beginning, also when there are no changes yet, and then after each change', async () => {
    const follower = makeFollower('told');
    const following = follow(follower);
    await waitFor(follower, [0]);
    change(3);
    expect(following.countBehind()).toEqual({ told: 3 });
    await waitFor(follower, [0, 3]);
    change();
    await waitFor(follower, [0, 3, 4]);
    await until(() => following.countBehind()['told'] === 0);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(follower.seen).toHaveLength(3);
  });

  it('is told within a second', async () => {
    const follower = makeFollower('quick');
    follow(follower);
    await waitFor(follower, [0]);
    change();
    expect(await until(() => follower.seen.length === 2)).toBeLessThan(1_000);
  });

  it('runs again on a restored database, and when changes are gone', async () => {
    const follower = makeFollower('restored');
    change(2);
    follow(follower);
    await waitFor(follower, [2]);
    renewHistory(db);
    await waitFor(follower, [2, 2]);
    db.connection.exec('DELETE FROM changes WHERE seq > 1');
    await waitFor(follower, [2, 2, 1]);
  });
});

describe('a failure', () => {
  it('is tried again with all that is new by then, and stops nobody else', async () => {
    const failing = makeFollower('failing', 2);
    const other = makeFollower('other');
    follow(failing, other);
    await waitFor(other, [0]);
    change();
    await until(() => failing.seen.length === 3);
    expect(failing.seen.at(-1)).toBe(1);
    expect(lines.filter(({ msg, job }) => msg === 'job failed' && job === 'failing')).toHaveLength(2);
    expect(other.seen).toEqual([0, 1]);
  });

  it('that is the third in a row is recorded until a run succeeds', async () => {
    const recorded: string[][] = [];
    const failing: Follower = {
      name: 'failing',
      deadlineMs: 5_000,
      run: () => {
        recorded.push(listFailingFollowers(db));
        if (recorded.length <= 4) throw new Error('no luck');
      },
    };
    follow(failing);
    await until(() => recorded.length === 5);
    expect(recorded).toEqual([[], [], [], ['failing'], ['failing']]);
    expect(listFailingFollowers(db)).toEqual([]);
  });

  it('that an earlier worker recorded is forgotten with the first run of this one', async () => {
    db.write(() => recordFailingFollowers(db, ['of another version']));
    follow(makeFollower('well'));
    await until(() => listFailingFollowers(db).length === 0);
    expect(listFailingFollowers(db)).toEqual([]);
  });

  it('to read the log is said, and does not end the worker', async () => {
    const follower = makeFollower('blind');
    db.connection.exec('ALTER TABLE changes RENAME TO gone');
    follow(follower);
    expect(lines.map(({ msg }) => msg)).toEqual(['the change log cannot be read']);
    expect(follower.seen).toEqual([]);
  });
});

it('every database has a history of its own', async () => {
  const other = await makeDatabase();
  expect(readLogHead(db).history).toMatch(/^[0-9a-f]{16}$/);
  expect(readLogHead(other).history).not.toBe(readLogHead(db).history);
});
