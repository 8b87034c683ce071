/** A tombstone is left of a removed entry: its list, report number, time and reason, and a hash of its ID. */
import { sql } from 'kysely';
import { sqlBuilder, param, type Database } from '../db/database.ts';
import { entryIdOf } from '../entries/entry-identity.ts';
import type { ListKind } from '../entries/entry.ts';
import { OperatorError } from '../operator-error.ts';
import { dayInUtc } from '../text/calendar.ts';
import { findEntryRemoval } from './removals.ts';
import { hashRemovedId } from './removed-key.ts';

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
    const found = findTombstoneOf(db, entryId);
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

export function findTombstoneOf(db: Database, entryId: string) {
  return db.first(TOMBSTONE, { entryId });
}

/** @param number in any case; exactly this one comes first */
export function findTombstoneByNumber(db: Database, number: string) {
  return db.first(TOMBSTONE_BY_NUMBER, { number });
}

/** @param what names the entry @param at epoch milliseconds */
export function removedError(what: string, { at, reason }: { at: number; reason: string }, hint = '') {
  const facts = { removedAt: new Date(at).toISOString(), reasonCode: reason };
  return new OperatorError('removed', `${what} (${reason}, ${dayInUtc(at)})${hint}`, facts);
}

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
const TOMBSTONE_BY_NUMBER = tombstone
  .where(isNumber)
  .orderBy(sql`report_id = ${param('number')} DESC`)
  .compile();
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
