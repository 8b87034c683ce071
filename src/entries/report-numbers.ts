import { readRemovedKey } from '../changes/removed-key.ts';
import { build, given, type Database } from '../db/database.ts';
import { entryIdOf } from './entry-identity.ts';
import type { ListKind } from './entry.ts';

/** A predicate of the operator's sentence, or undefined when the number is free. */
export function findReportIdOwner(db: Database, list: ListKind, reportId: string): string | undefined {
  const entryId = entryIdOf(reportId);
  if (db.first(ENTRY, { entryId })) return 'belongs to another entry';
  // In the same list it may be the removed entry that comes back; nothing is stored that could tell.
  const removed = db.first(TOMBSTONE, { entryId });
  return removed && removed.list !== list ? 'belonged to an entry of another list' : undefined;
}

/** Finds a removed entry by its report number, or else by the hash of its ID. */
export function findRemoval(db: Database, idHash: string | undefined, reportId: string | undefined) {
  const entryId = reportId === undefined ? undefined : entryIdOf(reportId);
  return (
    (entryId === undefined ? undefined : db.first(REMOVED_BY_ENTRY, { entryId })) ??
    (idHash === undefined ? undefined : db.first(REMOVED_BY_ID, { idHash }))
  );
}

/** Without the key, removed IDs cannot be recognized. */
export function lacksRemovedKey(db: Database): boolean {
  const hashed = build.selectFrom('tombstones').select('id_hash').where('id_hash', 'is not', null).limit(1);
  return db.first(hashed) !== undefined && readRemovedKey(db.path) === undefined;
}

const ENTRY = build.selectFrom('entries').select('row').where('entry_id', '=', given('entryId')).compile();
const TOMBSTONE = build
  .selectFrom('tombstones')
  .select('list')
  .where('entry_id', '=', given('entryId'))
  .compile();
const removed = build
  .selectFrom('tombstones')
  .select(['removed_at as at', 'tombstones.reason_code as reason']);
/** A tombstone alone is not enough: an undo of an import leaves one too. */
const REMOVED_BY_ENTRY = removed
  .innerJoin('removals', 'removals.entry_id', 'tombstones.entry_id')
  .where('tombstones.entry_id', '=', given('entryId'))
  .where('what', '=', 'entry')
  .compile();
const REMOVED_BY_ID = removed.where('id_hash', '=', given('idHash')).orderBy('removed_at', 'desc').compile();
