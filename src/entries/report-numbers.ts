import { findEntryRemoval } from '../removals/removals.ts';
import type { RemovalReason } from '../removals/removal-reasons.ts';
import { hashRemovedId } from '../removals/removed-key.ts';
import { REPORT_NUMBER } from '../paths.ts';
import { sql } from 'kysely';
import { sqlBuilder, param, type Database } from '../db/database.ts';
import { dayInUtc } from '../text/calendar.ts';
import { OperatorError } from '../operator-error.ts';
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
  const removed = db.first(TOMBSTONE, { entryId });
  if (!removed) return undefined;
  if (removed.list !== list) return `belonged to an entry of another list; ${UNIQUE}`;
  // An import that was taken back may come again.
  if (!findEntryRemoval(db, entryId)) return undefined;
  if (!key || removed.idHash === null) return 'belonged to a removed entry, and nothing here can tell its ID';
  return removed.idHash === hashRemovedId(key, list, id) ? undefined : `belonged to another entry; ${UNIQUE}`;
}

export const UNIQUE = 'report numbers are unique';

/** Finds a removed entry by its report number, or else by its ID, for which the key is needed. */
export function findTombstone(
  db: Database,
  key: Buffer | undefined,
  list: ListKind,
  { id, reportId }: { readonly id: string; readonly reportId?: string | undefined },
) {
  const idHash = key && hashRemovedId(key, list, id);
  if (reportId !== undefined) {
    const entryId = entryIdOf(reportId);
    // Asked first, because most imports meet no tombstone. It alone is not enough: an undo of an import leaves one too.
    const found = db.first(TOMBSTONE, { entryId });
    if (found && findEntryRemoval(db, entryId)) return { ...found, isSameId: found.idHash === idHash };
  }
  const found = idHash === undefined ? undefined : db.first(TOMBSTONE_BY_ID, { idHash });
  return found && { ...found, isSameId: true };
}

/** @param identifier a chat ID, a report number in any case, or an `_id`; the first only with a key */
export function listTombstones(db: Database, key: Buffer | undefined, list: ListKind, identifier: string) {
  const idHash = key ? hashRemovedId(key, list, identifier) : null;
  return db.all(TOMBSTONES_BY_IDENTIFIER, { list, number: identifier, idHash });
}

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
  const removed = db.first(OF_TOMBSTONE, { number });
  if (!removed || (entry && removed.reportId !== number)) return entry;
  const { reportId, at: removedAt, entryId, reason } = removed;
  return { reportId, removedAt, reason: findEntryRemoval(db, entryId) ? reason : 'undone' };
}

/** @param what names the entry @param at epoch milliseconds */
export function removedError(what: string, { at, reason }: { at: number; reason: string }, hint = '') {
  const facts = { removedAt: new Date(at).toISOString(), reasonCode: reason };
  return new OperatorError('removed', `${what} (${reason}, ${dayInUtc(at)})${hint}`, facts);
}

const ENTRY = sqlBuilder
  .selectFrom('entries')
  .select('row')
  .where('entry_id', '=', param('entryId'))
  .compile();
const tombstone = sqlBuilder
  .selectFrom('tombstones')
  .select(['list', 'entry_id as entryId', 'report_id as reportId'])
  .select(['removed_at as at', 'reason_code as reason', 'id_hash as idHash']);
const TOMBSTONE = tombstone.where('entry_id', '=', param('entryId')).compile();
const TOMBSTONE_BY_ID = tombstone
  .where('id_hash', '=', param('idHash'))
  .orderBy('removed_at', 'desc')
  .compile();
const isNumber = sql<boolean>`report_id = ${param('number')} COLLATE NOCASE`;
const HAVE_NUMBER = sqlBuilder.selectFrom('tombstones').select('entry_id').where(isNumber);
const TOMBSTONES_BY_IDENTIFIER = tombstone
  .where('list', '=', param('list'))
  .where((is) =>
    is.or([
      is('entry_id', '=', param('number')),
      is('entry_id', 'in', HAVE_NUMBER),
      is('id_hash', '=', param('idHash')),
    ]),
  )
  .compile();
const exactFirst = sql`report_id = ${param('number')} DESC`;
const OF_ENTRY = sqlBuilder.selectFrom('entries').selectAll().where(isNumber).orderBy(exactFirst).compile();
const OF_TOMBSTONE = tombstone.where(isNumber).orderBy(exactFirst).compile();
