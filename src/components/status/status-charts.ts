/** Drawings of the status: ninety days as one path for each kind of bar, and marks. */
import type { Day } from '#src/status/read-days.ts';
import type { BotState, OverallHealth, PartHealth } from '#src/status/status.ts';
import type { Markup } from '../ui/markup.ts';
import { renderMark } from '../ui/render-mark.ts';
import type { Role } from '../ui/role.ts';

export const BARS_HEIGHT = 36;
const BAR_STEP = 4;
const BAR_WIDTH = 3;
/** Height of the bar by health; an outage is visible without colour. */
const BAR_HEIGHTS = { good: 20, slow: 28, bad: 36 } as const;
/** An outage of this many hours in a day is a long one, and one of less than a minute is none. */
const LONG_HOURS = 1;
const SHORT_HOURS = 1 / 60;
/** More slow hours than this share make a slow day. */
const SLOW_FROM = 0.1;

type DayHealth = keyof typeof BAR_HEIGHTS | 'none';

export function dayHealth({ hours, goodHours, slowHours }: Day): DayHealth {
  if (hours === 0) return 'none';
  const outageHours = hours - goodHours;
  if (outageHours >= LONG_HOURS) return 'bad';
  return outageHours >= SHORT_HOURS || slowHours > SLOW_FROM * hours ? 'slow' : 'good';
}

export function drawBar(health: keyof typeof BAR_HEIGHTS, x: number): string {
  const height = BAR_HEIGHTS[health];
  const width = health === 'bad' ? BAR_STEP : BAR_WIDTH;
  return `M${x} ${(BARS_HEIGHT - height) / 2}h${width}v${height}h-${width}z`;
}

/** Path data by health, all on one middle line; `none` are dots. */
export function drawBars(days: readonly Day[]) {
  const paths = { good: '', slow: '', bad: '', none: '' };
  for (const [place, day] of days.entries()) {
    const health = dayHealth(day);
    const x = place * BAR_STEP;
    paths[health] += health === 'none' ? `M${x + 0.5} 17h2v2h-2z` : drawBar(health, x);
  }
  return { width: days.length * BAR_STEP, paths };
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
