/** The history of a part: sums by step, and the share of good samples. */
import type { Selectable } from 'kysely';
import { build, type Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { HISTORY_RANGES, type HistoryRange } from './periods.ts';
import type { PartId } from './status.ts';

export interface HistoryStep {
  /** Start, epoch milliseconds. */
  readonly at: number;
  /** 0: not measured. */
  readonly samples: number;
  readonly okSamples: number;
  readonly slowSamples: number;
  /** Mean of the good samples; null for bots. */
  readonly latencyMs: number | null;
  readonly latencyMsMax: number | null;
}

export interface History {
  readonly stepSeconds: number;
  /** Oldest first, without gaps; the last one is not over yet. */
  readonly steps: readonly HistoryStep[];
  readonly samples: number;
  /** Start of the first measured step; null when nothing was measured. The percentage covers no more. */
  readonly since: number | null;
  /** Good samples, 0 to 100; null when nothing was measured. */
  readonly uptimePercent: number | null;
}

type PeriodRow = Omit<Selectable<Tables['status_periods']>, 'seconds'>;

export interface Histories {
  readonly of: (part: PartId) => History;
}

/** @param now epoch milliseconds */
export function readHistories(db: Database, range: HistoryRange, now: number): Histories {
  const { seconds } = HISTORY_RANGES[range];
  const rows = db.all(
    build
      .selectFrom('status_periods')
      .select(['part', 'at', 'samples', 'ok', 'slow', 'latency_sum', 'latency_max'])
      .where('seconds', '=', seconds)
      .where('at', '>=', firstStep(range, now))
      .where('at', '<=', now),
  );
  const byPart = Map.groupBy(rows, (row) => row.part);
  return { of: (part) => toHistory(byPart.get(part) ?? [], range, now) };
}

/** For a database that cannot be read. */
export function noHistories(range: HistoryRange, now: number): Histories {
  return { of: () => toHistory([], range, now) };
}

function firstStep(range: HistoryRange, now: number): number {
  const { seconds, steps } = HISTORY_RANGES[range];
  return (Math.floor(now / 1000 / seconds) - steps + 1) * seconds * 1000;
}

function toHistory(rows: readonly PeriodRow[], range: HistoryRange, now: number): History {
  const { seconds, steps } = HISTORY_RANGES[range];
  const first = firstStep(range, now);
  const byTime = new Map(rows.map((row) => [row.at, row]));
  const samples = sumOf(rows, 'samples');
  return {
    stepSeconds: seconds,
    steps: Array.from({ length: steps }, (_, place) => {
      const at = first + place * seconds * 1000;
      return toStep(at, byTime.get(at));
    }),
    samples,
    since: rows.length > 0 ? Math.min(...rows.map(({ at }) => at)) : null,
    uptimePercent: samples > 0 ? uptimePercentOf(sumOf(rows, 'ok'), samples) : null,
  };
}

function toStep(at: number, row: PeriodRow | undefined): HistoryStep {
  return {
    at,
    samples: row?.samples ?? 0,
    okSamples: row?.ok ?? 0,
    slowSamples: row?.slow ?? 0,
    latencyMs: row && row.latency_sum !== null && row.ok > 0 ? Math.round(row.latency_sum / row.ok) : null,
    latencyMsMax: row?.latency_max ?? null,
  };
}

/** Rounded down: 100 means that no sample failed. */
function uptimePercentOf(ok: number, samples: number): number {
  return Math.floor((ok / samples) * 10_000) / 100;
}

function sumOf(rows: readonly PeriodRow[], column: 'samples' | 'ok'): number {
  return rows.reduce((sum, row) => sum + row[column], 0);
}
