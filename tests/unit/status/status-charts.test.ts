import { expect, it } from 'vitest';
import type { History, HistoryStep } from '#src/status/read-history.ts';
import { drawBars, drawSparkline, measuredDays } from '../../../src/components/status/status-charts.ts';

/** @param samples of each step, all good */
function historyOf(samples: readonly number[]): History {
  const steps = samples.map((count, place): HistoryStep => ({
    at: place,
    samples: count,
    okSamples: count,
    slowSamples: 0,
    latencyMs: count > 0 ? 5 + (place % 3) : null,
    latencyMsMax: count > 0 ? 9 : null,
  }));
  return { stepSeconds: 86_400, steps, samples: 0, since: null, uptimePercent: 100 };
}

const empty = (count: number): number[] => Array.from({ length: count }, () => 0);
const full = (count: number): number[] => Array.from({ length: count }, () => 1);

it('draws as many days as there are, from the left, with room for thirty', () => {
  const young = drawBars(historyOf([...empty(87), 1, 0, 1]));
  expect(young.paths.good).toBe('M0 0h3v24h-3zM8 0h3v24h-3z');
  expect(young.paths.none).toBe('M4.5 22h2v2h-2z');
  expect(young.width).toBe(30 * 4 - 1);
  const old = drawBars(historyOf([...empty(10), ...full(80)]));
  expect(old.paths.none).toBe('');
  expect(old.width).toBe(80 * 4 - 1);
});

it('knows the first day that was measured', () => {
  expect(measuredDays(historyOf([0, 0, 1, 0])).map(({ at }) => at)).toEqual([2, 3]);
  expect(measuredDays(historyOf(full(90)))).toHaveLength(90);
});

it('draws no line of less than two hours', () => {
  expect(drawSparkline(historyOf([...empty(267), ...full(21)]))).toBeUndefined();
  expect(drawSparkline(historyOf([...empty(264), ...full(24)]))?.path).toMatch(/^M[\d.]+ /);
});
