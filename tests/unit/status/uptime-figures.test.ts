import { describe, expect, it } from 'vitest';
import { recordSample } from '#src/status/record-sample.ts';
import { readHistories } from '#src/status/read-history.ts';
import { uptimeFigures } from '../../../src/components/status/uptime-figures.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const NOW = Date.parse('2026-11-21T14:02:00Z');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Figures of a database that was measured at these times, every one good but the first. */
async function figuresOf(times: readonly number[]): Promise<string[]> {
  const db = await makeDatabase();
  db.write(() => {
    for (const [place, at] of times.entries()) {
      const checks = [{ id: 'database', ok: place > 0 || times.length === 1, latencyMs: 3 }] as const;
      recordSample(db, { checks, bots: [], checkedAt: new Date(at).toISOString() });
    }
  });
  const of = (range: '24h' | '7d' | '90d') => readHistories(db, range, NOW).of('database');
  return uptimeFigures({ day: of('24h'), week: of('7d'), quarter: of('90d') }).map(({ label, percent }) =>
    `${label}: ${percent}`.replaceAll('\u00a0', ' '),
  );
}

/** Every hour, and in the last day every five minutes, until now. */
function measuredFrom(from: number): number[] {
  const dense = Math.max(from, NOW - DAY_MS);
  const times: number[] = [];
  for (let at = from; at < dense; at += HOUR_MS) times.push(at);
  for (let at = dense; at <= NOW; at += 5 * MINUTE_MS) times.push(at);
  return times;
}

describe('figures of uptime', () => {
  it('are none where nothing was measured', async () => {
    expect(await figuresOf([])).toEqual(['90 dni: null']);
  });

  it('say since when, a minute after the first measurement', async () => {
    expect(await figuresOf([NOW - MINUTE_MS])).toEqual(['od 15:00: 100']);
  });

  it('name the day where measuring began on another one', async () => {
    expect(await figuresOf(measuredFrom(NOW - 20 * HOUR_MS))).toEqual(['od 20 lis: 99.58']);
  });

  it('are 24 hours and what was measured in all, after three days', async () => {
    expect(await figuresOf(measuredFrom(NOW - 3 * DAY_MS))).toEqual(['24 h: 100', 'od 18 lis: 99.7']);
  });

  it('are the three ranges when all of them were measured', async () => {
    expect(await figuresOf(measuredFrom(NOW - 89 * DAY_MS))).toEqual([
      '24 h: 100',
      '7 dni: 100',
      '90 dni: 99.95',
    ]);
  });

  it('tell a new beginning from the old one', async () => {
    const before = measuredFrom(NOW - 10 * DAY_MS).slice(0, 24);
    expect(await figuresOf([...before, NOW - 2 * HOUR_MS, NOW])).toEqual([
      'od 13:00: 100',
      'od 11 lis: 96.15',
    ]);
  });

  it('do not mind a restart at the beginning of a range', async () => {
    const times = measuredFrom(NOW - 89 * DAY_MS).filter((at) => at < NOW - DAY_MS);
    const since = Array.from({ length: 286 }, (_, place) => NOW - place * 5 * MINUTE_MS).reverse();
    expect((await figuresOf([...times, ...since])).map((figure) => figure.split(':')[0])).toEqual([
      '24 h',
      '7 dni',
      '90 dni',
    ]);
  });
});
