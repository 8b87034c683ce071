import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import { listIncidents, listOutages, writeIncidentNote } from '#src/status/incidents.ts';
import { readDays } from '#src/status/read-days.ts';
import { readHistory } from '#src/status/read-history.ts';
import { pruneHistory, recordSample } from '#src/status/record-sample.ts';
import type { Status } from '#src/status/status.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const START = Date.parse('2026-11-01T00:00:00Z');
const DAY_MS = 86_400_000;

/** @param outcome of the database and of the main bot; undefined: not configured */
function statusOf(at: number, outcome: { ms?: number; ok?: boolean; bot?: boolean | undefined }): Status {
  const { ms = 3, ok = true, bot } = outcome;
  const nothing = { uptimeMs: 0, memoryBytes: 0, cpuPercent: 0 };
  const state = bot === undefined ? 'not_configured' : bot ? 'running' : 'offline';
  return {
    checks: [{ id: 'database', ok, latencyMs: ms }],
    bots: [{ id: 'main_bot', ok: bot === true, state, ...nothing }],
    checkedAt: new Date(at).toISOString(),
  };
}

function record(db: Database, at: number, outcome: Parameters<typeof statusOf>[1]): void {
  db.write((tx) => recordSample(tx, statusOf(at, outcome)));
}

describe('history', () => {
  it('equals sums over the samples themselves', async () => {
    const outcomes = fc.array(
      fc.record({
        gapMs: fc.integer({ min: 1_000, max: 4 * 3_600_000 }),
        ok: fc.boolean(),
        ms: fc.integer({ min: 1, max: 6_000 }),
      }),
      { minLength: 1, maxLength: 60, size: 'max' },
    );
    await fc.assert(
      fc.asyncProperty(outcomes, async (given) => {
        using db = await makeDatabase();
        let at = START;
        const samples = given.map(({ gapMs, ...rest }) => ({ ...rest, at: (at += gapMs) }));
        for (const sample of samples) record(db, sample.at, sample);
        for (const [range, stepMs, steps] of [
          ['24h', 300_000, 288],
          ['7d', 3_600_000, 168],
          ['90d', DAY_MS, 90],
        ] as const) {
          const history = readHistory(db, 'database', range, at);
          const first = (Math.floor(at / stepMs) - steps + 1) * stepMs;
          const inRange = samples.filter((sample) => sample.at >= first);
          const byStep = Map.groupBy(inRange, (sample) => Math.floor(sample.at / stepMs) * stepMs);
          const expected = [...byStep].map(([from, own]) => {
            const good = own.filter(({ ok }) => ok).map(({ ms }) => ms);
            return {
              at: new Date(from).toISOString(),
              samples: own.length,
              okSamples: good.length,
              slowSamples: good.filter((ms) => ms >= 2_000).length,
              latencyMs: good.length > 0 ? Math.round(good.reduce((a, b) => a + b, 0) / good.length) : null,
              latencyMsMax: good.length > 0 ? Math.max(...good) : null,
            };
          });
          expect(history.steps).toEqual(expected);
          const good = inRange.filter(({ ok }) => ok).length;
          expect(history.since).toBe(expected[0]?.at);
          expect(history.uptimePercent).toBe(Math.floor((good / inRange.length) * 10_000) / 100);
        }
      }),
      { numRuns: 10 },
    );
  });

  it('has nothing of what is not configured, and no latency of bots', async () => {
    const db = await makeDatabase();
    record(db, START, {});
    expect(readHistory(db, 'main_bot', '24h', START).uptimePercent).toBeNull();
    record(db, START + 1, { bot: true });
    const { steps } = readHistory(db, 'main_bot', '24h', START + 1);
    expect(steps.at(-1)).toMatchObject({ samples: 1, okSamples: 1, latencyMs: null, latencyMsMax: null });
  });

  it('never rounds a failure away', async () => {
    const db = await makeDatabase();
    record(db, START, {});
    db.statement('UPDATE status_periods SET samples = 10001, ok = 10000').run();
    expect(readHistory(db, 'database', '24h', START).uptimePercent).toBe(99.99);
  });

  it('keeps five minutes for a day, hours for 90 days and days for a year, and each two days more', async () => {
    const db = await makeDatabase();
    for (const place of [0, 1, 2]) record(db, START + place, {});
    const left = (daysLater: number): unknown => {
      const time = { edge: START + daysLater * DAY_MS, latest: Infinity, isBelieved: true };
      db.write((tx) => pruneHistory(tx, time));
      return db.statement('SELECT seconds FROM status_periods ORDER BY seconds').pluck().all();
    };
    expect(left(3)).toEqual([300, 3_600, 86_400]);
    expect(left(3.1)).toEqual([3_600, 86_400]);
    expect(left(92)).toEqual([3_600, 86_400]);
    expect(left(92.1)).toEqual([86_400]);
    expect(left(368)).toEqual([86_400]);
    expect(left(368.1)).toEqual([]);
  });
});

describe('the days of the page', () => {
  it('are of the calendar in Poland, also when its clocks change, and weigh hours alike', async () => {
    const db = await makeDatabase();
    const recordHours = (from: string, hours: number): void => {
      for (let hour = 0; hour < hours; hour += 1)
        record(db, Date.parse(from) + hour * 3_600_000, { ok: hour > 0 });
    };
    // The 25th of October has 25 hours.
    recordHours('2026-10-24T22:00:00Z', 25);
    recordHours('2026-10-25T23:00:00Z', 24);
    // Samples more than in other hours, of which each counts once.
    for (const minute of [1, 2, 3]) record(db, Date.parse('2026-10-26T22:00:00Z') + minute * 60_000, {});
    const days = readDays(db, Date.parse('2026-10-26T22:30:00Z'))('database');
    expect(days).toHaveLength(90);
    expect(days.slice(-3)).toEqual([
      { at: Date.parse('2026-10-23T22:00:00Z'), hours: 0, goodHours: 0, slowHours: 0 },
      expect.objectContaining({ at: Date.parse('2026-10-24T22:00:00Z'), hours: 25, goodHours: 24 }),
      expect.objectContaining({ at: Date.parse('2026-10-25T23:00:00Z'), hours: 24, goodHours: 23 }),
    ]);
  });
});

describe('incidents', () => {
  /** @param outcomes of the database, a millisecond apart */
  const recordAll = async (outcomes: string): Promise<Database> => {
    const db = await makeDatabase();
    [...outcomes].forEach((outcome, place) => record(db, START + place, { ok: outcome === '+' }));
    return db;
  };

  it.each([
    ['-', []],
    ['-+-+-+', []],
    ['+---', [[1]]],
    ['--+-+-', [[0]]],
    ['+--+-++-', [[1, 5]]],
    ['--++--', [[4], [0, 2]]],
  ])('of the samples %s', async (outcomes, expected) => {
    const incidents = listIncidents(await recordAll(outcomes), 10).map(({ openedAt, closedAt }) =>
      [openedAt, ...(closedAt === null ? [] : [closedAt])].map((at) => at - START),
    );
    expect(incidents).toEqual(expected);
  });

  it('end when a part is no longer configured', async () => {
    const db = await makeDatabase();
    record(db, START, { bot: false });
    record(db, START + 1, { bot: false });
    expect(listIncidents(db, 1)).toMatchObject([{ part: 'main_bot', closedAt: null }]);
    record(db, START + 2, { bot: undefined });
    expect(listIncidents(db, 1)).toMatchObject([{ closedAt: START + 2 }]);
  });

  it('end no earlier than they began under a clock that was ahead, and are past when the clock is right', async () => {
    const db = await makeDatabase();
    for (const at of [0, 1]) record(db, START + 1_500 * DAY_MS + at, { ok: false });
    for (const at of [2, 3]) record(db, START + at, { ok: true });
    const [ahead] = listIncidents(db, 1);
    expect(ahead?.closedAt).toBe(ahead?.openedAt);
    const at = START + 4;
    db.write((tx) => pruneHistory(tx, { edge: at, latest: at, isBelieved: false }));
    expect(listIncidents(db, 1)).toEqual([ahead]);
    db.write((tx) => pruneHistory(tx, { edge: at, latest: at, isBelieved: true }));
    expect(listIncidents(db, 1)).toMatchObject([{ openedAt: at, closedAt: at, updatedAt: at }]);
  });

  it('are one outage when they began in the same minute, over when all of them are', async () => {
    const db = await makeDatabase();
    const sample = (minute: number, ok: boolean, bot: boolean): void =>
      record(db, START + minute * 60_000, { ok, bot });
    sample(0, false, false);
    sample(1, false, false);
    db.write((tx) => writeIncidentNote(tx, 2, 'Prąd', START + 70_000));
    for (const minute of [2, 3]) sample(minute, true, false);
    const outage = { incident: 1, parts: ['database', 'main_bot'], openedAt: START, notes: ['Prąd'] };
    expect(listOutages(db, 10)).toMatchObject([{ ...outage, closedAt: null }]);
    for (const minute of [4, 5]) sample(minute, true, true);
    for (const minute of [6, 7]) sample(minute, false, true);
    expect(listOutages(db, 10)).toMatchObject([
      { parts: ['database'], notes: [] },
      { ...outage, closedAt: START + 4 * 60_000 },
    ]);
  });

  it('take a note', async () => {
    const db = await recordAll('--');
    const noted = db.write((tx) => writeIncidentNote(tx, 1, 'Prąd', START + 9));
    expect(noted).toMatchObject({ note: 'Prąd', updatedAt: START + 9 });
    expect(listIncidents(db, 1)).toEqual([noted]);
    expect(db.write((tx) => writeIncidentNote(tx, 1, null, START + 10))).toMatchObject({ note: null });
    expect(db.write((tx) => writeIncidentNote(tx, 2, 'x', START))).toBeUndefined();
  });
});
