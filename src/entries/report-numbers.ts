import { sql } from 'kysely';
import { sqlBuilder, param, type Database } from '../db/database.ts';
import { REPORT_NUMBER } from '../paths.ts';
import type { RemovalReason } from '../removals/removal-reasons.ts';
import { findEntryRemoval } from '../removals/removals.ts';
import { hashRemovedId } from '../removals/removed-key.ts';
import { findTombstoneByNumber, findTombstoneOf } from '../removals/tombstones.ts';
import { entryIdOf } from './entry-identity.ts';
import type { EntryRow } from './entry-row.ts';
import type { PublicEntry, ListKind } from './entry.ts';
import { findPublicEntry, isPublicEntry } from './public-entry.ts';

/**
 * Judges the number of a new entry. That of a removed entry goes only to the same chat ID again, so that no other person
 * stands under the number of one who was cleared.
 * @param key of the hashes of removed IDs @returns a predicate of the operator's sentence; undefined when it may be used
 */
export function findReportNumberProblem(
  db: Database,
  list: ListKind,
  { id, reportId }: { readonly id: string; readonly reportId: string },
  key: Buffer | undefined,
): string | undefined {
  if (!REPORT_NUMBER.test(reportId))
    return 'is no number for a new entry: 1 to 64 of A–Z, a–z, 0–9, ".", "_" and "-" are allowed';
  const entryId = entryIdOf(reportId);
  if (db.first(ENTRY, { entryId })) return `belongs to another entry; ${UNIQUE}`;
  const removed = findTombstoneOf(db, entryId);
  if (!removed) return undefined;
  if (removed.list !== list) return `belonged to an entry of another list; ${UNIQUE}`;
  // An import that was taken back may come again.
  if (!findEntryRemoval(db, entryId)) return undefined;
  if (!key || removed.idHash === null) return 'belonged to a removed entry, and nothing here can tell its ID';
  return removed.idHash === hashRemovedId(key, list, id) ? undefined : `belonged to another entry; ${UNIQUE}`;
}

export const UNIQUE = 'report numbers are unique';

export interface RemovedReport {
  readonly reportId: string;
  /** Epoch milliseconds. */
  readonly removedAt: number;
  /** `undone`: an import was taken back, which had added the entry. */
  readonly reason: RemovalReason | 'undone';
}

export function findReport(db: Database, number: string): PublicEntry | RemovedReport | undefined {
  const found = findReportRow(db, number);
  return found && 'entry_id' in found ? findPublicEntry(db, 'entry_id', found.entry_id) : found;
}

/** @param number in any case; what has exactly this number comes first, and then an entry */
export function findReportRow(db: Database, number: string): EntryRow | RemovedReport | undefined {
  const row = db.first(OF_ENTRY, { number });
  const entry = row && isPublicEntry(row) ? row : undefined;
  if (entry?.report_id === number) return entry;
  const removed = findTombstoneByNumber(db, number);
  if (!removed || (entry && removed.reportId !== number)) return entry;
  const { reportId, at: removedAt, entryId, reason } = removed;
  return { reportId, removedAt, reason: findEntryRemoval(db, entryId) ? reason : 'undone' };
}

const ENTRY = sqlBuilder
  .selectFrom('entries')
  .select('row')
  .where('entry_id', '=', param('entryId'))
  .compile();
const OF_ENTRY = sqlBuilder
  .selectFrom('entries')
  .selectAll()
  .where(sql<boolean>`report_id = ${param('number')} COLLATE NOCASE`)
  .orderBy(sql`report_id = ${param('number')} DESC`)
  .compile();
