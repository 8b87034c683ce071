import { findEntryRemoval } from '../changes/removals.ts';
import { readRemovedKey } from '../changes/removed-key.ts';
import { build, given, type Database } from '../db/database.ts';
import { entryIdOf } from './entry-identity.ts';
import type { ListKind } from './entry.ts';

/** A predicate of the operator's sentence, or undefined when the number is free. */
export function findReportIdOwner(db: Database, list: ListKind, reportId: string): string | undefined {
  if (db.first(ENTRY, { entryId: entryIdOf(reportId) })) return 'belongs to another entry';
  // In the same list it may be the removed entry that comes back; nothing is stored that could tell.
  const removed = findTombstone(db, reportId);
  return removed && removed.list !== list ? 'belonged to an entry of another list' : undefined;
}

export function findRemoval(
  db: Database,
  idHash: string | undefined,
  reportId: string | undefined,
): { readonly at: number; readonly reason: string } | undefined {
  const found =
    (reportId === undefined ? undefined : findWithdrawn(db, reportId)) ??
    (idHash === undefined ? undefined : db.first(TOMBSTONE_BY_ID, { idHash }));
  return found && { at: found.removed_at, reason: found.reason_code };
}

/** Without the key, removed IDs cannot be recognized. */
export function lacksRemovedKey(db: Database): boolean {
  const hashed = build.selectFrom('tombstones').select('id_hash').where('id_hash', 'is not', null).limit(1);
  return db.first(hashed) !== undefined && readRemovedKey(db.path) === undefined;
}

function findTombstone(db: Database, reportId: string) {
  return db.first(TOMBSTONE, { reportId });
}

/** An undo of an import leaves a tombstone of entries that nobody removed. */
function findWithdrawn(db: Database, reportId: string) {
  const found = findTombstone(db, reportId);
  return found && findEntryRemoval(db, found.entry_id) && found;
}

const TOMBSTONE = build
  .selectFrom('tombstones')
  .selectAll()
  .where('report_id', '=', given('reportId'))
  .compile();
const TOMBSTONE_BY_ID = build
  .selectFrom('tombstones')
  .selectAll()
  .where('id_hash', '=', given('idHash'))
  .orderBy('removed_at', 'desc')
  .compile();
const ENTRY = build.selectFrom('entries').select('row').where('entry_id', '=', given('entryId')).compile();
