/** Finds the entry of a report number, or that it was removed. */
import { sql } from 'kysely';
import { param, sqlBuilder, type Database } from '../db/database.ts';
import type { RemovalReason } from '../removals/removal-reasons.ts';
import { findEntryRemoval } from '../removals/removals.ts';
import type { Entry } from './entry.ts';
import type { EntryRow } from './entry-row.ts';
import { findPublishedEntry, isPublicRow } from './published.ts';

export interface RemovedReport {
  readonly reportId: string;
  /** Epoch milliseconds. */
  readonly removedAt: number;
  /** `undone`: an import was taken back, which had added the entry. */
  readonly reason: RemovalReason | 'undone';
}

export function findReport(db: Database, number: string): Entry | RemovedReport | undefined {
  const found = findReportRow(db, number);
  return found && 'entry_id' in found ? findPublishedEntry(db, 'entry_id', found.entry_id) : found;
}

/** @param number in any case; an entry with exactly this number comes first */
export function findReportRow(db: Database, number: string): EntryRow | RemovedReport | undefined {
  const row = db.first(OF_ENTRY, { number });
  if (row && isPublicRow(row)) return row;
  const tombstone = db.first(OF_TOMBSTONE, { number });
  if (!tombstone) return undefined;
  const { reportId, removedAt, reason_code: code } = tombstone;
  return { reportId, removedAt, reason: findEntryRemoval(db, tombstone.entry_id) ? code : 'undone' };
}

const isNumber = sql<boolean>`report_id = ${param('number')} COLLATE NOCASE`;
const exactFirst = sql`report_id = ${param('number')} DESC`;
const OF_ENTRY = sqlBuilder.selectFrom('entries').selectAll().where(isNumber).orderBy(exactFirst).compile();
const OF_TOMBSTONE = sqlBuilder
  .selectFrom('tombstones')
  .select(['entry_id', 'report_id as reportId', 'removed_at as removedAt', 'reason_code'])
  .where(isNumber)
  .orderBy(exactFirst)
  .compile();
