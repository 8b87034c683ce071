/** Drawings of the status: ninety days as one path for each kind of bar, and marks. */
import type { History, HistoryStep } from '#src/status/read-history.ts';
import type { BotState, OverallHealth, PartHealth } from '#src/status/status.ts';
import type { Markup } from '../ui/markup.ts';
import { renderMark } from '../ui/render-mark.ts';
import type { Role } from '../ui/role.ts';

export const BARS_HEIGHT = 36;
const BAR_STEP = 4;
const BAR_WIDTH = 3;
/** Height of the bar by health; an outage is visible without colour. */
const BAR_HEIGHTS = { good: 14, slow: 24, bad: 36 } as const;
/** Less than this share of good samples, and the day counts as one on which the part did not work. */
const BAD_BELOW = 0.95;
const GOOD_FROM = 0.999;
/** More slow samples than this share make a slow day. */
const SLOW_FROM = 0.1;

type StepHealth = keyof typeof BAR_HEIGHTS | 'none';

export interface Bars {
  readonly width: number;
  /** Path data by health, all on one middle line; `none` are dots. */
  readonly paths: Readonly<Record<StepHealth, string>>;
  /** Beginnings of the days on which the part did not work, epoch milliseconds. */
  readonly badDays: readonly number[];
}

export function stepHealth({ samples, okSamples, slowSamples }: HistoryStep): StepHealth {
  if (samples === 0) return 'none';
  const share = okSamples / samples;
  if (share < BAD_BELOW) return 'bad';
  return share < GOOD_FROM || slowSamples > SLOW_FROM * samples ? 'slow' : 'good';
}

export function drawBar(health: keyof typeof BAR_HEIGHTS, x: number): string {
  const height = BAR_HEIGHTS[health];
  const width = health === 'bad' ? BAR_STEP : BAR_WIDTH;
  return `M${x} ${(BARS_HEIGHT - height) / 2}h${width}v${height}h-${width}z`;
}

export function drawBars({ steps }: History): Bars {
  const paths = { good: '', slow: '', bad: '', none: '' };
  const badDays: number[] = [];
  for (const [place, step] of steps.entries()) {
    const health = stepHealth(step);
    const x = place * BAR_STEP;
    if (health === 'bad') badDays.push(step.at);
    if (health === 'none') paths.none += `M${x + 0.5} 17h2v2h-2z`;
    else paths[health] += drawBar(health, x);
  }
  return { width: steps.length * BAR_STEP - (BAR_STEP - BAR_WIDTH), paths, badDays };
}

const SHAPES = { good: 'good', slow: 'warn', partly: 'down', bad: 'down', none: 'off' } as const;

/** A bot between two states is not down, and nothing is known of one whose state is unknown. */
const STATE_SHAPES: Partial<Record<BotState, Role>> = { starting: 'warn', stopping: 'warn', unknown: 'none' };

/** The shape of a health, never red, which is for people; screen readers hear the word beside it. */
export function renderHealth(health: PartHealth | OverallHealth, state?: BotState): Markup {
  const shape = (state && STATE_SHAPES[state]) ?? SHAPES[health];
  const role = shape === 'down' ? 'warn' : shape === 'off' ? 'none' : shape;
  return renderMark(role, false, shape);
}
