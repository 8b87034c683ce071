import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { appendChange } from '#src/changes/append-change.ts';
import { readLogHead, renewHistory } from '#src/changes/log-head.ts';
import type { Database } from '#src/db/database.ts';
import { listFailingFollowers, recordFailingFollowers } from '#src/db/failing-followers.ts';
import { followChanges } from '#src/worker/follow-changes.ts';
import type { FollowContext, Follower, Following } from '#src/worker/follow-changes.ts';
import { createJobRunner } from '#src/worker/job.ts';
import type { JobRunner } from '#src/worker/job.ts';
import { createLease } from '#src/worker/lease.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

type Range = Pick<FollowContext, 'from' | 'to'>;

let db: Database;
let runner: JobRunner;
let lines: { msg: string; job?: string }[];
const started: Following[] = [];

beforeEach(async () => {
  db = await makeDatabase();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance'] });
  lines = [];
  const log = pino({}, { write: (line) => lines.push(JSON.parse(line) as { msg: string }) });
  const lease = createLease(db, 'following', 60_000);
  lease.hold();
  runner = createJobRunner({ db, lease, log });
  follow = (...followers) => {
    const following = followChanges(db, log, runner, followers);
    started.push(following);
    following.begin();
    return following;
  };
});
afterEach(async () => {
  for (const following of started.splice(0)) following.pause();
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

/** Notes the ranges that it was called with; fails as often as it is told to. */
function makeFollower(name: string, failures = 0): Follower & { ranges: Range[] } {
  const ranges: Range[] = [];
  let left = failures;
  return {
    name,
    deadlineMs: 5_000,
    ranges,
    run: ({ from, to }) => {
      ranges.push({ from, to });
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

async function waitFor(follower: { ranges: Range[] }, ranges: Range[]): Promise<void> {
  await until(() => follower.ranges.length >= ranges.length);
  expect(follower.ranges).toEqual(ranges);
}

function waitUntilRecorded(name: string, seq: number): Promise<number> {
  const read = db.statement<number>('SELECT seq FROM change_progress WHERE follower = ?').pluck();
  return until(() => read.get(name) === seq);
}

describe('a follower', () => {
  it('makes everything anew on its first run, also when there are no changes yet', async () => {
    const follower = makeFollower('first');
    follow(follower);
    await waitFor(follower, [{ from: undefined, to: 0 }]);
  });

  it('is told of what has changed since, each change once', async () => {
    const follower = makeFollower('told');
    change(3);
    follow(follower);
    await waitUntilRecorded('told', 3);
    change(2);
    await waitUntilRecorded('told', 5);
    change();
    await waitUntilRecorded('told', 6);
    expect(follower.ranges).toEqual([
      { from: undefined, to: 3 },
      { from: 3, to: 5 },
      { from: 5, to: 6 },
    ]);
  });

  it('is told within a second', async () => {
    const follower = makeFollower('quick');
    follow(follower);
    await waitUntilRecorded('quick', 0);
    change();
    expect(await until(() => follower.ranges.length === 2)).toBeLessThan(1_000);
  });

  it('goes on where it was when the next worker takes over', async () => {
    const before = makeFollower('going on');
    change(4);
    const following = follow(before);
    await waitUntilRecorded('going on', 4);
    following.pause();
    change();
    const after = makeFollower('going on');
    follow(after);
    await waitFor(after, [{ from: 4, to: 5 }]);
  });

  it('is not called when nothing is new', async () => {
    change();
    follow(makeFollower('idle'));
    await waitUntilRecorded('idle', 1);
    const again = makeFollower('idle');
    const other = makeFollower('beside');
    follow(again, other);
    await waitUntilRecorded('beside', 1);
    expect(again.ranges).toEqual([]);
  });

  it('begins anew on a restored database', async () => {
    const follower = makeFollower('restored');
    change(2);
    follow(follower);
    await waitUntilRecorded('restored', 2);
    renewHistory(db);
    await waitFor(follower, [
      { from: undefined, to: 2 },
      { from: undefined, to: 2 },
    ]);
  });

  it('begins anew when the changes that it knows are gone', async () => {
    const follower = makeFollower('gone');
    change(5);
    const following = follow(follower);
    await waitUntilRecorded('gone', 5);
    following.pause();
    db.connection.exec('DELETE FROM changes WHERE seq > 3');
    following.begin();
    await waitFor(follower, [
      { from: undefined, to: 5 },
      { from: undefined, to: 3 },
    ]);
  });
});

describe('a failure', () => {
  it('is tried again with all that is new by then, and stops nobody else', async () => {
    const failing = makeFollower('failing', 2);
    const other = makeFollower('other');
    follow(failing, other);
    await waitUntilRecorded('other', 0);
    change();
    await waitUntilRecorded('failing', 1);
    expect(failing.ranges.at(-1)).toEqual({ from: undefined, to: 1 });
    expect(lines.filter(({ msg, job }) => msg === 'job failed' && job === 'failing')).toHaveLength(2);
    await waitUntilRecorded('other', 1);
    expect(other.ranges).toEqual([
      { from: undefined, to: 0 },
      { from: 0, to: 1 },
    ]);
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
    await waitUntilRecorded('failing', 0);
    expect(recorded).toEqual([[], [], [], ['failing'], ['failing']]);
    expect(listFailingFollowers(db)).toEqual([]);
  });

  it('that an earlier worker recorded is forgotten with the first run of this one', async () => {
    db.write(() => recordFailingFollowers(db, ['of another version']));
    follow(makeFollower('well'));
    await waitUntilRecorded('well', 0);
    expect(listFailingFollowers(db)).toEqual([]);
  });

  it('of a worker that has lost the lease records no progress', async () => {
    const follower: Follower = {
      name: 'deposed',
      deadlineMs: 5_000,
      run: () => {
        db.connection.exec("UPDATE leases SET holder = 'somebody else'");
      },
    };
    follow(follower);
    await until(() => lines.some(({ msg }) => msg === 'job failed'));
    expect(db.statement('SELECT * FROM change_progress').all()).toEqual([]);
  });

  it('to read the log is said, and does not end the worker', async () => {
    const follower = makeFollower('blind');
    db.connection.exec('ALTER TABLE changes RENAME TO gone');
    follow(follower);
    expect(lines.map(({ msg }) => msg)).toEqual(['the change log cannot be read']);
    expect(follower.ranges).toEqual([]);
  });
});

it('every database has a history of its own', async () => {
  const other = await makeDatabase();
  expect(readLogHead(db).history).toMatch(/^[0-9a-f]{16}$/);
  expect(readLogHead(other).history).not.toBe(readLogHead(db).history);
});
