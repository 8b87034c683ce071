/** The percents of a part, none of which claims more time than was measured. */
import type { History } from '#src/status/read-history.ts';
import type { PartHistories } from './status-view.ts';
import { STATUS } from './status-texts.ts';

/** So much of a range may be missing at its beginning: a restart exactly 24 hours ago makes it no shorter. */
const MISSING_SHARE_MAX = 0.01;

export interface UptimeFigure {
  /** 24 h; od 20:05. */
  readonly label: string;
  readonly percent: number | null;
}

/** @returns where measuring began, when that is later than the range: epoch milliseconds */
function beganWithin({ since, steps }: History): number | undefined {
  if (since === null) return undefined;
  const latest = steps[Math.floor(steps.length * MISSING_SHARE_MAX)]?.at ?? 0;
  return since > latest ? since : undefined;
}

/** What the history of a range speaks of. @param name of the whole range */
export function spanOf(history: History, name: string): string {
  const began = beganWithin(history);
  return began === undefined ? name : STATUS.since(began, history.steps.at(-1)?.at ?? 0);
}

/** Ranges that hold the same samples are one figure. */
export function uptimeFigures(histories: PartHistories): UptimeFigure[] {
  const ranges = (['day', 'week', 'quarter'] as const).map((range) => ({
    history: histories[range],
    name: STATUS.uptimeNames[range],
  }));
  const groups = Map.groupBy(ranges, ({ history }) => history.samples);
  return [...groups].flatMap(([samples, same]) => {
    const shown = samples === 0 ? same.at(-1) : same[0];
    return shown ? [{ label: spanOf(shown.history, shown.name), percent: shown.history.uptimePercent }] : [];
  });
}
