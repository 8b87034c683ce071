import { expect, it } from 'vitest';
import { drawBars, renderHealth } from '#src/components/status/status-charts.ts';
import { STATUS } from '#src/components/status/status-texts.ts';
import { noDays, type Day } from '#src/status/read-days.ts';
import { BOT_STATES, botHealth } from '#src/status/status.ts';
import { plain } from '../../support/page-text.ts';

const DAYS = noDays(Date.parse('2026-11-23T12:00:00Z'));

/** @param outages hours of each day on which it did not work; undefined where nothing was measured */
const daysOf = (outages: readonly (number | undefined)[]): Day[] =>
  DAYS.slice(0, outages.length).map((day, place) => {
    const outage = outages[place];
    return outage === undefined ? day : { ...day, hours: 24, goodHours: 24 - outage };
  });

it('draws a bar for each day about one line, high where the part did not work', () => {
  const { width, paths } = drawBars(daysOf([undefined, 0, 0.5, 1]));
  expect(paths).toEqual({
    none: 'M0.5 17h2v2h-2z',
    good: 'M4 8h3v20h-3z',
    slow: 'M8 4h3v28h-3z',
    bad: 'M12 0h4v36h-4z',
  });
  expect(width).toBe(16);
});

it('claims a percent only for the time that was measured', () => {
  const days = (count: number, outage?: number) => Array.from({ length: count }, () => outage);
  expect(STATUS.uptime(daysOf(days(90)))).toBe(plain('brak pomiarów'));
  // Three hours of ninety days are 0.139 percent.
  expect(STATUS.uptime(daysOf([3, ...days(89, 0)]))).toBe('99,86%');
  expect(STATUS.uptime(daysOf([...days(2), ...days(88, 0)]))).toBe('100%');
  expect(plain(STATUS.uptime(daysOf([...days(60), ...days(30, 0)])))).toBe('100% od 25 paź');
});

it('says one year once where an outage goes over midnight, and keeps each moment whole', () => {
  const outage = (...days: [string, string]): string => {
    const [openedAt, closedAt] = days.map((day) => Date.parse(`${day}T23:30:00+01:00`)) as [number, number];
    return STATUS.outageTime({ openedAt, closedAt });
  };
  expect(outage('2026-11-16', '2026-11-17')).toBe(
    '16\u00a0listopada,\u00a023:30\u00a0– 17\u00a0listopada\u00a02026,\u00a023:30 (1\u00a0dzień)',
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
