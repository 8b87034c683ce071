/** The history as JSON. */
import type { HistoryRange } from './periods.ts';
import type { History } from './read-history.ts';
import type { PartId } from './status.ts';

export interface HistoryResponse {
  readonly id: PartId;
  readonly range: HistoryRange;
  readonly stepSeconds: number;
  /** ISO 8601, beginning of the first step with samples: the percents speak of no more. Null without one. */
  readonly since: string | null;
  /** Null when nothing was measured. */
  readonly uptimePercent: number | null;
  /** Oldest first; steps in which nothing was measured are left out. */
  readonly steps: readonly {
    /** ISO 8601, beginning of the step. */
    readonly at: string;
    readonly samples: number;
    readonly okSamples: number;
    readonly slowSamples: number;
    readonly latencyMs: number | null;
    readonly latencyMsMax: number | null;
  }[];
}

export function toHistoryResponse(id: PartId, range: HistoryRange, history: History): HistoryResponse {
  return {
    id,
    range,
    stepSeconds: history.stepSeconds,
    since: history.since === null ? null : new Date(history.since).toISOString(),
    uptimePercent: history.uptimePercent,
    steps: history.steps
      .filter(({ samples }) => samples > 0)
      .map((step) => ({ ...step, at: new Date(step.at).toISOString() })),
  };
}
