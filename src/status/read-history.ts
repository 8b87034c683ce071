/** The history of a part: sums by step, and the share of good samples. */
import type { Selectable } from 'kysely';
import { sqlBuilder, type Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { HISTORY_RANGES, type HistoryRange } from './periods.ts';
import type { PartId } from './status.ts';

export type History = Readonly<ReturnType<typeof readHistory>>;

type PeriodRow = Omit<Selectable<Tables['status_periods']>, 'part' | 'seconds'>;

/** @param now epoch milliseconds */
export function readHistory(db: Database, part: PartId, range: HistoryRange, now: number) {
  const { seconds, steps } = HISTORY_RANGES[range];
  const first = (Math.floor(now / 1000 / seconds) - steps + 1) * seconds * 1000;
  const rows = db.all(
    sqlBuilder
      .selectFrom('status_periods')
      .select(['at', 'samples', 'ok', 'slow', 'latency_sum', 'latency_max'])
      .where('seconds', '=', seconds)
      .where('at', '>=', first)
      .where('at', '<=', now)
      .where('part', '=', part),
  );
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
