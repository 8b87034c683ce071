import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '#src/db/database.ts';
import type { Database } from '#src/db/database.ts';
import { createLease, LeaseLostError } from '#src/worker/lease.ts';
import type { Lease } from '#src/worker/lease.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const LASTS_MS = 15_000;
const clock = { now: 0 };
const db = await makeDatabase();
/** A handle of its own, as another process has. */
const otherDb = openDatabase(db.path, 'write');

let first: Lease;
let second: Lease;

beforeEach(() => {
  db.connection.exec('DELETE FROM leases; DELETE FROM properties');
  clock.now = 1_000_000;
  first = makeLease(db, 'first');
  second = makeLease(otherDb, 'second');
});

function makeLease(handle: Database, holder: string): Lease {
  return createLease(handle, holder, LASTS_MS, () => clock.now);
}

function readToken(): number | undefined {
  return db.statement<{ token: number }>('SELECT token FROM leases').get()?.token;
}

function note(handle: Database, value: string) {
  return () => handle.statement('INSERT OR REPLACE INTO properties VALUES (?, ?)').run('note', value).changes;
}

function readNote(): string | undefined {
  return db.statement<{ value: string }>("SELECT value FROM properties WHERE key = 'note'").get()?.value;
}

describe('holding', () => {
  it('goes to the first who asks, and to nobody else', () => {
    expect(first.hold()).toBe(true);
    expect(second.hold()).toBe(false);
    expect(first.hold()).toBe(true);
    expect(second.hold()).toBe(false);
    expect(readToken()).toBe(1);
  });

  it('lasts until its end, not a millisecond longer', () => {
    first.hold();
    clock.now += LASTS_MS - 1;
    expect(second.hold()).toBe(false);
    clock.now += 1;
    expect(second.hold()).toBe(true);
    expect(first.hold()).toBe(false);
  });

  it('is prolonged by each renewal and keeps its token', () => {
    first.hold();
    for (let renewal = 0; renewal < 10; renewal += 1) {
      clock.now += LASTS_MS - 1;
      expect(first.hold()).toBe(true);
      expect(second.hold()).toBe(false);
    }
    expect(readToken()).toBe(1);
  });

  it('is renewed even after its end when nobody else came', () => {
    first.hold();
    clock.now += 100 * LASTS_MS;
    expect(first.hold()).toBe(true);
    expect(readToken()).toBe(1);
    expect(second.hold()).toBe(false);
  });

  it('has a greater token after every take-over', () => {
    const tokens: unknown[] = [];
    for (const lease of [first, second, first, second]) {
      clock.now += LASTS_MS;
      expect(lease.hold()).toBe(true);
      tokens.push(readToken());
    }
    expect(tokens).toEqual([1, 2, 3, 4]);
  });

  it('is not inherited by a process of the same holder name that did not take it', () => {
    first.hold();
    const namesake = makeLease(otherDb, 'first');
    expect(namesake.hold()).toBe(false);
    expect(() => namesake.write(() => {})).toThrow(LeaseLostError);
  });
});

describe('leases that were emptied, so that tokens begin anew', () => {
  beforeEach(() => {
    first.hold();
    db.connection.exec('DELETE FROM leases');
    second.hold();
  });

  it('belong to who took them last, though both have the same token', () => {
    expect(readToken()).toBe(1);
    expect(first.hold()).toBe(false);
    expect(second.hold()).toBe(true);
  });

  it('let nobody else write', () => {
    expect(() => first.write(note(db, 'first'))).toThrow(LeaseLostError);
    expect(second.write(note(otherDb, 'second'))).toBe(1);
    expect(readNote()).toBe('second');
  });

  it('are released by nobody else', () => {
    first.release();
    expect(first.hold()).toBe(false);
  });
});

describe('release', () => {
  it('leaves the lease to others at once, with a greater token', () => {
    first.hold();
    first.release();
    expect(second.hold()).toBe(true);
    expect(readToken()).toBe(2);
    expect(first.hold()).toBe(false);
  });

  it('does nothing for one who does not hold it', () => {
    first.hold();
    second.release();
    expect(second.hold()).toBe(false);
    clock.now += LASTS_MS;
    second.hold();
    first.release();
    expect(first.hold()).toBe(false);
  });
});

describe('write', () => {
  it('makes the change and returns what it returns', () => {
    first.hold();
    expect(first.write(note(db, 'a'))).toBe(1);
    expect(readNote()).toBe('a');
  });

  it('is refused to one who never held the lease', () => {
    expect(() => first.write(note(db, 'a'))).toThrow(LeaseLostError);
    second.hold();
    expect(() => first.write(note(db, 'a'))).toThrow(LeaseLostError);
    expect(readNote()).toBeUndefined();
  });

  it('says in its refusal what has happened', () => {
    const error = new LeaseLostError('another worker has taken over');
    expect(() => first.write(note(db, 'a'))).toThrow(error);
    expect(String(error)).toBe('LeaseLostError: another worker has taken over');
  });

  it('is refused after a take-over, and stays so when the lease ends again', () => {
    first.hold();
    clock.now += LASTS_MS;
    second.hold();
    second.write(note(otherDb, 'second'));
    expect(() => first.write(note(db, 'first'))).toThrow(LeaseLostError);
    clock.now += LASTS_MS;
    expect(() => first.write(note(db, 'first'))).toThrow(LeaseLostError);
    expect(readNote()).toBe('second');
  });

  it('is allowed again once the lease was taken again', () => {
    first.hold();
    clock.now += LASTS_MS;
    second.hold();
    clock.now += LASTS_MS;
    first.hold();
    expect(first.write(note(db, 'back'))).toBe(1);
    expect(() => second.write(note(otherDb, 'late'))).toThrow(LeaseLostError);
    expect(readNote()).toBe('back');
  });

  it('takes back a change that throws half-way', () => {
    first.hold();
    expect(() =>
      first.write(() => {
        note(db, 'half')();
        throw new Error('no more');
      }),
    ).toThrow('no more');
    expect(readNote()).toBeUndefined();
  });
});

describe('a machine that started anew, so that its clock is lower', () => {
  it('frees a lease that ends later than any can', () => {
    first.hold();
    clock.now = 5_000;
    expect(second.hold()).toBe(true);
    expect(() => first.write(() => {})).toThrow(LeaseLostError);
    expect(readToken()).toBe(2);
  });

  it('waits no longer than a lease lasts, wherever the clock stands', () => {
    first.hold();
    clock.now = 1_000_000 + LASTS_MS - 1;
    expect(second.hold()).toBe(false);
    clock.now = 1_000_000;
    expect(second.hold()).toBe(false);
    clock.now = 999_999;
    expect(second.hold()).toBe(true);
  });
});
