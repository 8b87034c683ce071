/** Drawings of the status page as paths: one for each kind of bar, so that ninety days are three nodes. */
import type { History, HistoryStep } from '#src/status/read-history.ts';

export const BARS_HEIGHT = 24;
const BAR_STEP = 4;
const BAR_WIDTH = 3;
/** Height of the bar by health: a fall is seen without colour. */
const BAR_HEIGHTS = { good: 24, slow: 14.4, bad: 6 } as const;
/** So many have room: one day alone would be a wall. */
const DAYS_MIN = 30;
/** Less than this share of good samples, and the day counts as one on which the part did not work. */
const BAD_BELOW = 0.95;
const GOOD_FROM = 0.999;
/** More slow samples than this share make a slow day. */
const SLOW_FROM = 0.1;

type StepHealth = keyof typeof BAR_HEIGHTS | 'none';

export interface Bars {
  readonly width: number;
  /** Path data by health; `none` are dots on the ground line. */
  readonly paths: Readonly<Record<StepHealth, string>>;
}

export function stepHealth({ samples, okSamples, slowSamples }: HistoryStep): StepHealth {
  if (samples === 0) return 'none';
  const share = okSamples / samples;
  if (share < BAD_BELOW) return 'bad';
  return share < GOOD_FROM || slowSamples > SLOW_FROM * samples ? 'slow' : 'good';
}

/** From the first day that was measured: what a young service was not there for says nothing. */
export function measuredDays({ steps }: History): readonly HistoryStep[] {
  return steps.slice(
    Math.max(
      0,
      steps.findIndex(({ samples }) => samples > 0),
    ),
  );
}

export function drawBars(history: History): Bars {
  const days = measuredDays(history);
  const paths = { good: '', slow: '', bad: '', none: '' };
  days.forEach((step, place) => {
    const health = stepHealth(step);
    const x = place * BAR_STEP;
    if (health === 'none') paths.none += `M${x + 0.5} 22h2v2h-2z`;
    else {
      const height = BAR_HEIGHTS[health];
      paths[health] += `M${x} ${BARS_HEIGHT - height}h${BAR_WIDTH}v${height}h-${BAR_WIDTH}z`;
    }
  });
  return { width: Math.max(days.length, DAYS_MIN) * BAR_STEP - (BAR_STEP - BAR_WIDTH), paths };
}

export const SPARK_WIDTH = 144;
export const SPARK_HEIGHT = 24;
/** Steps drawn as one point. */
const STEPS_PER_POINT = 3;
/** Two hours. Fewer are a stroke somewhere, which tells nothing. */
const POINTS_MIN = 8;

export interface Sparkline {
  readonly path: string;
  /** Median of the steps' means, milliseconds. */
  readonly usualMs: number;
  readonly longestMs: number;
  /** Step in which it was that long, epoch milliseconds. */
  readonly longestAt: number;
}

/** @returns undefined when there are too few points for a line that tells something */
export function drawSparkline({ steps }: History): Sparkline | undefined {
  const measured = steps.filter((step) => step.latencyMs !== null);
  if (measured.length === 0) return undefined;
  const means = measured.map(({ latencyMs }) => latencyMs ?? 0).toSorted((a, b) => a - b);
  const longest = measured.reduce((high, step) =>
    (step.latencyMsMax ?? 0) > (high.latencyMsMax ?? 0) ? step : high,
  );
  const top = Math.max(...means, 1);
  const points = Math.ceil(steps.length / STEPS_PER_POINT);
  let path = '';
  let drawn = 0;
  let isOpen = false;
  for (let point = 0; point < points; point += 1) {
    const group = steps.slice(point * STEPS_PER_POINT, (point + 1) * STEPS_PER_POINT);
    const values = group.flatMap(({ latencyMs }) => (latencyMs === null ? [] : [latencyMs]));
    if (values.length === 0) {
      isOpen = false;
      continue;
    }
    const x = ((point + 0.5) * SPARK_WIDTH) / points;
    const y = SPARK_HEIGHT - 2 - (Math.max(...values) / top) * (SPARK_HEIGHT - 4);
    // A point alone would be a line without length, which is drawn as nothing.
    path += `${isOpen ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}${isOpen ? '' : 'h.1'}`;
    isOpen = true;
    drawn += 1;
  }
  if (drawn < POINTS_MIN) return undefined;
  return {
    path,
    usualMs: means[Math.floor(means.length / 2)] ?? 0,
    longestMs: longest.latencyMsMax ?? 0,
    longestAt: longest.at,
  };
}
