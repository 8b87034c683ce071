/** How far a wrong clock, for one start or for weeks, moves the time by which things are deleted for their age. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Database, Transaction } from '#src/db/database.ts';
import { moveEdge, retentionTime, type Edge } from '#src/db/retention-time.ts';
import { writeProbe } from '#src/status/record-sample.ts';
import { importRecords, makeRecord } from '../../support/make-entries.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 1);

/** A machine whose clock is right, or wrong by some days. The time of a test begins at 0. */
function makeMachine() {
  let [at, bootedAt, start] = [0, 0, 0];
  let edge: Edge = { edge: START, least: START, leapMs: 0, start: '0', monotonicMs: 0 };
  return {
    /** Days by which the edge is ahead of the true time. */
    get ahead(): number {
      return (edge.edge - START - at) / DAY;
    },
    off(days: number): void {
      at += days * DAY;
      [bootedAt, start] = [at, start + 1];
    },
    /** The worker looks every hour, and at its start. */
    run(hours: number, wrongDays = 0): void {
      for (let hour = 0; hour <= hours; hour += 1) {
        if (hour > 0) at += HOUR;
        const machine = { start: String(start), monotonicMs: at - bootedAt };
        edge = moveEdge(edge, START + at + wrongDays * DAY, machine);
      }
    },
  };
}

describe('the edge', () => {
  let machine: ReturnType<typeof makeMachine>;
  beforeEach(() => {
    machine = makeMachine();
    machine.run(48);
  });

  it.each([0, 3, 1_500])('moves by two days at most in 50 starts %i days ahead, and back', (days) => {
    for (let times = 0; times < 50; times += 1) machine.run(0, days);
    expect(machine.ahead).toBeLessThanOrEqual(2);
    machine.run(0);
    expect(machine.ahead).toBe(0);
  });

  it('moves by two days at each start of the machine, and for each day that it runs', () => {
    machine.off(0);
    machine.run(0, 1_500);
    expect(machine.ahead).toBe(2);
    machine.off(0);
    machine.run(0, 1_500);
    expect(machine.ahead).toBe(4);
    machine.run(24, 1_500);
    expect(machine.ahead).toBe(4 + 2 - 1);
  });

  it('stays at a start with a clock behind, and follows at once', () => {
    machine.run(20, -1_500);
    expect(machine.ahead).toBeCloseTo(-20 / 24);
    machine.run(0);
    expect(machine.ahead).toBe(0);
  });

  it('makes up for three weeks off, as long as it is on in part of each day', () => {
    machine.off(21);
    machine.run(0);
    expect(machine.ahead).toBe(-19);
    machine.run(19 * 24);
    expect(machine.ahead).toBe(0);
    machine.off(21);
    for (let day = 0; day < 19; day += 1) {
      machine.run(8);
      machine.off(16 / 24);
    }
    machine.run(0);
    expect(machine.ahead).toBe(0);
  });

  it.each([
    [1_500, 0],
    [30, 10],
  ])(
    'is the clock again after four weeks %i days ahead, and moves little at another start',
    (days, later) => {
      machine.run(28 * 24, days);
      expect(machine.ahead).toBeCloseTo(30, 1);
      machine.run(later * 24);
      expect(machine.ahead).toBe(0);
      machine.run(0, 1_500);
      expect(machine.ahead).toBeLessThanOrEqual(2);
    },
  );

  it('is not put back by a clock that is behind, after a year with a day off in each month', () => {
    for (let month = 0; month < 12; month += 1) {
      machine.run(29 * 24);
      machine.off(1);
    }
    machine.run(0, -20);
    expect(machine.ahead).toBeCloseTo(-1);
  });
});

describe('the time of retention', () => {
  let db: Database;
  beforeEach(async () => {
    db = await makeDatabase();
  });
  const read = (now: number, backups: readonly number[] = []) =>
    db.write((tx) => retentionTime(tx, now, backups));
  const believed = (edge: number) => ({ edge, latest: edge + 2 * DAY, isBelieved: true });
  const doubted = (edge: number) => ({ ...believed(edge), isBelieved: false });

  it('is the clock in a new database, never later than the clock, and believed within two days', () => {
    expect(read(START)).toEqual(believed(START));
    expect(read(START + 3 * DAY)).toEqual(believed(START + 2 * DAY));
    expect(read(START + 4 * DAY + HOUR).isBelieved).toBe(false);
    const latest = expect.closeTo(START + 4 * DAY, -5) as number;
    expect(read(START - 1)).toMatchObject({ edge: START - 1, latest });
    expect(read(START + HOUR)).toEqual(believed(START + HOUR));
  });

  it.each([
    ['the last write of a worker', (tx: Transaction) => writeProbe(tx, START), []],
    ['the newest backup', () => {}, [START - DAY, START]],
    ['a backup newer than the worker', (tx: Transaction) => writeProbe(tx, START - DAY), [START]],
    ['the worker, before a change', (tx: Transaction) => writeProbe(tx, START), []],
  ])('begins with evidence of the data: %s', async (what, prepare, backups) => {
    db.write(prepare);
    if (what.endsWith('a change')) {
      await importRecords(db, 'scammers', [makeRecord()]);
      db.statement('UPDATE changes SET at = ?').run(START + 1_400 * DAY);
    }
    expect(read(START + 1_500 * DAY, backups)).toEqual(doubted(START + 2 * DAY));
  });

  it('begins with the newest change where neither worker nor backup was', async () => {
    await importRecords(db, 'scammers', [makeRecord()]);
    db.statement('UPDATE changes SET at = ?').run(START);
    expect(read(START + 1_500 * DAY)).toEqual(doubted(START + 2 * DAY));
  });

  it('begins with evidence that is not in the future, unless all is', () => {
    db.write((tx) => writeProbe(tx, START + 1_500 * DAY));
    expect(read(START + 1, [START, START + 1_500 * DAY])).toEqual(believed(START + 1));
    db.statement('DELETE FROM properties WHERE key = ?').run('retention');
    db.statement('DELETE FROM status_write_probe').run();
    const behind = START - 1_500 * DAY;
    expect(read(behind, [START - DAY, START])).toEqual({ ...doubted(START), edge: behind });
    expect(read(START + 1)).toEqual(believed(START + 1));
  });
});
