import { findEntryRemoval } from '../removals/removals.ts';
import { hashRemovedId, readRemovedKey } from '../removals/removed-key.ts';
import { sqlBuilder, param, type Database } from '../db/database.ts';
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
  if (reportId !== undefined) {
    const entryId = entryIdOf(reportId);
    // Asked first, because most imports meet no tombstone. It alone is not enough: an undo of an import leaves one too.
    const found = db.first(TOMBSTONE, { entryId });
    if (found && findEntryRemoval(db, entryId)) return found;
  }
  return idHash === undefined ? undefined : db.first(TOMBSTONE_BY_ID, { idHash });
}

/** @param name a chat ID, a report number or an `_id`; the first only with a key */
export function findRemovedByName(db: Database, key: Buffer | undefined, list: ListKind, name: string) {
  const idHash = key ? hashRemovedId(key, list, name) : null;
  return db.first(TOMBSTONE_BY_NAME, { list, name, entryId: entryIdOf(name), idHash });
}

/** Without the key, removed IDs cannot be recognized. */
export function lacksRemovedKey(db: Database): boolean {
  const hashed = sqlBuilder
    .selectFrom('tombstones')
    .select('id_hash')
    .where('id_hash', 'is not', null)
    .limit(1);
  return db.first(hashed) !== undefined && readRemovedKey(db.path) === undefined;
}

const ENTRY = sqlBuilder
  .selectFrom('entries')
  .select('row')
  .where('entry_id', '=', param('entryId'))
  .compile();
const tombstone = sqlBuilder
  .selectFrom('tombstones')
  .select(['list', 'removed_at as at', 'reason_code as reason', 'id_hash as idHash']);
const TOMBSTONE = tombstone.where('entry_id', '=', param('entryId')).compile();
const TOMBSTONE_BY_ID = tombstone
  .where('id_hash', '=', param('idHash'))
  .orderBy('removed_at', 'desc')
  .compile();
const TOMBSTONE_BY_NAME = tombstone
  .where('list', '=', param('list'))
  .where((is) =>
    is.or([is('entry_id', 'in', [param('name'), param('entryId')]), is('id_hash', '=', param('idHash'))]),
  )
  .compile();
