/** Numbers of entries, and of what happened to them. These name no entry, and outlive each. */
import { sqlBuilder, type Database } from '../db/database.ts';
import { DAY_MS, dayInUtc } from '../text/calendar.ts';
import type { ListKind } from './entry.ts';

const YEAR_DAYS = 365;
const DECISIONS_MIN = 5;

/** Counts are those of the last year, but for the open appeals. `granted` are removed after an appeal. */
export function countYear(db: Database, now: number) {
  const since = dayInUtc(now - YEAR_DAYS * DAY_MS);
  const counts = db.all(
    sqlBuilder
      .selectFrom('entry_counts')
      .select(['what', 'days'])
      .select(({ fn }) => fn.sum<number>('count').as('count'))
      .where('day', '>=', since)
      .groupBy(['what', 'days'])
      .orderBy('days'),
  );
  const totals = { added: 0, removed: 0, granted: 0, decided: 0 };
  for (const { what, count } of counts) totals[what] += count;
  const unopened = counts.find(({ what, days }) => what === 'granted' && days === 0)?.count ?? 0;
  let left = totals.decided / 2;
  const median = counts.find(({ what, count }) => what === 'decided' && (left -= count) <= 0);
  const open = sqlBuilder.selectFrom('appeals').select(({ fn }) => fn.countAll<number>().as('open'));
  return {
    ...totals,
    /** An appeal that was granted before any was opened is a decision, too, whose wait is unknown. */
    decided: totals.decided + unopened,
    open: db.first(open.where('decided_at', 'is', null))?.open ?? 0,
    /** Half of the decided appeals waited no longer; undefined for fewer than five. */
    medianDays: totals.decided < DECISIONS_MIN ? undefined : median?.days,
  };
}

/** @param list counts only its own */
export function countEntries(db: Database, list?: ListKind): number {
  const entries = sqlBuilder.selectFrom('entries').select(({ fn }) => fn.countAll<number>().as('count'));
  return db.first(list ? entries.where('list', '=', list) : entries)?.count ?? 0;
}

/** SQL of the full days that an appeal waited, beside its column opened_at. @param decidedAt SQL of epoch milliseconds */
export function daysToDecide(decidedAt: string): string {
  return `max(0, CAST((${decidedAt} - opened_at) / ${DAY_MS} AS INTEGER))`;
}

/** A statement. @param rows a query of at (epoch milliseconds), what, days and count */
export function countsUpsert(rows: string): string {
  return `INSERT INTO entry_counts (day, what, days, count)
    SELECT date(at / 1000, 'unixepoch'), what, days, sum(count) FROM (${rows}) WHERE true GROUP BY 1, 2, 3
    ON CONFLICT (day, what, days) DO UPDATE SET count = count + excluded.count`;
}
