import { expect, it } from 'vitest';
import { drawBars, renderHealth } from '#src/components/status/status-charts.ts';
import { STATUS } from '#src/components/status/status-texts.ts';
import type { History, HistoryStep } from '#src/status/read-history.ts';
import { BOT_STATES, botHealth } from '#src/status/status.ts';
import { plain } from '../../support/page-text.ts';

const DAY_MS = 86_400_000;
const FIRST = Date.parse('2026-08-26T00:00:00Z');

/** @param shares of good samples of each day; undefined where nothing was measured */
function historyOf(shares: readonly (number | undefined)[], uptimePercent = 100): History {
  const steps = shares.map((share, place): HistoryStep => ({
    at: FIRST + place * DAY_MS,
    samples: share === undefined ? 0 : 100,
    okSamples: 100 * (share ?? 0),
    slowSamples: 0,
    latencyMs: null,
    latencyMsMax: null,
  }));
  const since = steps.find(({ samples }) => samples > 0)?.at ?? null;
  const samples = shares.filter((share) => share !== undefined).length * 100;
  return { stepSeconds: 86_400, steps, samples, since, uptimePercent: since === null ? null : uptimePercent };
}

it('draws a bar for each day about one line, high where the part did not work', () => {
  const { width, paths, badDays } = drawBars(historyOf([undefined, 1, 0.98, 0.5]));
  expect(paths).toEqual({
    none: 'M0.5 17h2v2h-2z',
    good: 'M4 11h3v14h-3z',
    slow: 'M8 6h3v24h-3z',
    bad: 'M12 0h4v36h-4z',
  });
  expect(width).toBe(15);
  expect(badDays).toEqual([FIRST + 3 * DAY_MS]);
});

it('claims a percent only for the time that was measured', () => {
  const days = (count: number, share?: number) => Array.from({ length: count }, () => share);
  expect(STATUS.uptime(historyOf(days(90)))).toBe(plain('brak pomiarów'));
  expect(STATUS.uptime(historyOf([...days(2), ...days(88, 1)], 99.879))).toBe('99,87%');
  expect(plain(STATUS.uptime(historyOf([...days(60), ...days(30, 1)])))).toBe('100% od 25 paź');
});

it('says one year once where an outage goes over midnight, and keeps each moment whole', () => {
  const outage = (...days: [string, string]): string => {
    const [openedAt, closedAt] = days.map((day) => Date.parse(`${day}T23:30:00+01:00`)) as [number, number];
    return STATUS.outageTime({ openedAt, closedAt });
  };
  expect(outage('2026-11-16', '2026-11-17')).toBe(
    '16\u00a0listopada,\u00a023:30\u00a0– 17\u00a0listopada\u00a02026,\u00a023:30 (1\u00a0dzień).',
  );
  expect(plain(outage('2026-12-31', '2027-01-01'))).toMatch(/^31 grudnia 2026, 23:30 – 1 stycznia 2027/);
});

it('draws a starting bot, a stopped one, one of unknown state and one that is not connected in four shapes', () => {
  const shapes = BOT_STATES.map((state) => {
    const health = botHealth({ ok: state === 'running', state } as Parameters<typeof botHealth>[0]);
    return [state, /#z-(\w+)/.exec(renderHealth(health, state).toString())?.[1]];
  });
  expect(Object.fromEntries(shapes)).toEqual({
    running: 'good',
    starting: 'warn',
    stopping: 'warn',
    offline: 'down',
    unknown: 'none',
    not_configured: 'off',
  });
});
