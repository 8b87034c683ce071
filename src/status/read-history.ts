/** The history of a part: sums by step, and the share of good samples. */
import type { Selectable } from 'kysely';
import { sqlBuilder, type Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { HISTORY_RANGES, type HistoryRange } from './periods.ts';
import type { PartId } from './status.ts';

export type History = Readonly<ReturnType<typeof toHistory>>;
export type HistoryStep = Readonly<ReturnType<typeof toStep>>;

type PeriodRow = Omit<Selectable<Tables['status_periods']>, 'seconds'>;

/** @param now epoch milliseconds @returns the history of a part */
export function readHistories(db: Database, range: HistoryRange, now: number) {
  const { seconds } = HISTORY_RANGES[range];
  const rows = db.all(
    sqlBuilder
      .selectFrom('status_periods')
      .select(['part', 'at', 'samples', 'ok', 'slow', 'latency_sum', 'latency_max'])
      .where('seconds', '=', seconds)
      .where('at', '>=', firstStep(range, now))
      .where('at', '<=', now),
  );
  const byPart = Map.groupBy(rows, (row) => row.part);
  return (part: PartId): History => toHistory(byPart.get(part) ?? [], range, now);
}

/** For a database that cannot be read. */
export const noHistory = (range: HistoryRange, now: number): History => toHistory([], range, now);

function firstStep(range: HistoryRange, now: number): number {
  const { seconds, steps } = HISTORY_RANGES[range];
  return (Math.floor(now / 1000 / seconds) - steps + 1) * seconds * 1000;
}

function toHistory(rows: readonly PeriodRow[], range: HistoryRange, now: number) {
  const { seconds, steps } = HISTORY_RANGES[range];
  const first = firstStep(range, now);
  const byTime = new Map(rows.map((row) => [row.at, row]));
  const samples = sumOf(rows, 'samples');
  return {
    stepSeconds: seconds,
    /** Oldest first, without gaps; the last one is not over yet. */
    steps: Array.from({ length: steps }, (_, place) => {
      const at = first + place * seconds * 1000;
      return toStep(at, byTime.get(at));
    }),
    samples,
    /** Start of the first measured step; null when nothing was measured. The percentage covers no more. */
    since: rows.length > 0 ? Math.min(...rows.map(({ at }) => at)) : null,
    /** Good samples, 0 to 100; null when nothing was measured. */
    uptimePercent: samples > 0 ? uptimePercentOf(sumOf(rows, 'ok'), samples) : null,
  };
}

function toStep(at: number, row: PeriodRow | undefined) {
  return {
    /** Start, epoch milliseconds. */
    at,
    /** 0: not measured. */
    samples: row?.samples ?? 0,
    okSamples: row?.ok ?? 0,
    slowSamples: row?.slow ?? 0,
    /** Mean of the good samples; null for bots. */
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
