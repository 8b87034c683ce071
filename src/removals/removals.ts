/**
 * Texts withdrawn on purpose, which `restore` must not bring back; texts that an edit or import replaced are others. The
 * name of the log and a change number identify a removal, and are never used twice.
 *
 * A removal goes this way: remove-entries.ts deletes the entry, and leaves a tombstone with a hash of its ID
 * (tombstones.ts, removed-key.ts) and a row here. removed-file.ts repeats the row in `removed.ndjson`, which outlives the
 * database. erase-removed.ts erases the texts from every file. After a restore, apply-removals.ts removes again what the
 * backup brought back, and the tombstones of the replaced database are carried over.
 */
import type { Selectable } from 'kysely';
import { sqlBuilder, param, type Database, type Transaction } from '../db/database.ts';
import { findProperty, setProperty } from '../db/properties.ts';
import type { Tables } from '../db/tables.ts';
import { WITHDRAWALS, type Withdrawal } from '../entries/entry-row.ts';
import { toRemovalReason, type RemovalReason } from './removal-reasons.ts';
import { readLogHead } from '../changes/change-log.ts';

/** A removal withdraws the entry, a text of it, or the public view of its proofs. */
export type RemovalKind = 'entry' | Withdrawal;
export const REMOVAL_KINDS: readonly RemovalKind[] = ['entry', ...WITHDRAWALS];

/**
 * No removal: a removed entry was added again. It is an event of its own, because a removal that is deleted here would
 * come back from `removed.ndjson`, which is merged with this table.
 */
export const RETURNED = 'returned';

/**
 * The reason code of all that one redaction withdrew. Where a former name alone was erased there is none, and a restore
 * brings the notes back; versions before know no such code, and pass over it.
 */
export const REDACTION = 'redaction';

/** A removal, or a return (RETURNED), as `removals` has them. `logId` names the change log, and `change` is its newest change at that time. */
export type RemovalEvent = Readonly<
  Omit<Selectable<Tables['removals']>, 'removal' | 'history'> & { logId: string }
>;

const EARLIER_LOGS_PROPERTY = 'earlier_logs';

const ENTRY_REMOVAL = sqlBuilder
  .selectFrom('removals')
  .select(['at', 'reason_code'])
  .where('entry_id', '=', param('entry_id'))
  .where('what', '=', 'entry')
  .orderBy('removal', 'desc')
  .$narrowType<{ reason_code: RemovalReason }>()
  .compile();

export function findEntryRemoval(db: Database, entry_id: string) {
  return db.first(ENTRY_REMOVAL, { entry_id });
}

/** @returns 0 without an event */
export function newestEventNumber(db: Database): number {
  const newest = sqlBuilder.selectFrom('removals').select('removal').orderBy('removal', 'desc').limit(1);
  return db.first(newest)?.removal ?? 0;
}

export function listRemovalEvents(db: Database, after = 0): (RemovalEvent & { readonly removal: number })[] {
  const removals = sqlBuilder
    .selectFrom('removals')
    .select(['removal', 'at', 'list', 'entry_id', 'what', 'reason_code', 'history as logId', 'change']);
  return db.all(removals.where('removal', '>', after).orderBy('removal'));
}

/** The newest event of each entry, kind and log. @param events one or several sources, each oldest first */
export function newestRemovalEvents(events: readonly RemovalEvent[]): RemovalEvent[] {
  const newest = new Map<string, RemovalEvent>();
  for (const event of events) {
    const key = `${event.entry_id} ${event.what} ${event.logId}`;
    const before = newest.get(key);
    if (before && before.change > event.change) continue;
    newest.delete(key);
    newest.set(key, event);
  }
  return [...newest.values()];
}

/** Events after the database was copied, or of another log. */
export function unknownRemovalEvents(db: Database, events: readonly RemovalEvent[]): RemovalEvent[] {
  return events.filter(
    ({ entry_id, what, logId, change }) => !db.first(KNOWN, { entry_id, what, logId, change }),
  );
}

const KNOWN = sqlBuilder
  .selectFrom('removals')
  .select('removal')
  .where('entry_id', '=', param('entry_id'))
  .where('what', '=', param('what'))
  .where('history', '=', param('logId'))
  .where('change', '>=', param('change'))
  .compile();

export function listLogs(db: Database): string[] {
  const earlier = findProperty(db, EARLIER_LOGS_PROPERTY)?.split(' ') ?? [];
  return [readLogHead(db).logId, ...earlier];
}

export function replaceRemovalEvents(
  tx: Transaction,
  events: readonly RemovalEvent[],
  logs: readonly string[],
): void {
  tx.run(sqlBuilder.deleteFrom('removals'));
  appendRemovalEvents(tx, events);
  setProperty(tx, EARLIER_LOGS_PROPERTY, [...new Set(logs)].join(' '));
}

export function appendRemovalEvents(tx: Transaction, events: readonly RemovalEvent[]): void {
  for (const { at, list, entry_id, what, reason_code, logId: history, change } of events) {
    // They get new numbers.
    const row = { at, list, entry_id, what, reason_code, history, change };
    tx.run(sqlBuilder.replaceInto('removals').values(row));
  }
}

type TombstoneRow = Selectable<Tables['tombstones']>;

/** @param after the number of a removal: only tombstones of later ones are listed */
export function listTombstoneRows(db: Database, after = 0): TombstoneRow[] {
  const removed = sqlBuilder.selectFrom('removals').select('entry_id').where('what', '=', 'entry');
  return db.all(
    sqlBuilder
      .selectFrom('tombstones')
      .select(['entry_id', 'report_id', 'list', 'removed_at', 'reason_code', 'id_hash'])
      .where('entry_id', 'in', removed.where('removal', '>', after)),
  );
}

/**
 * The restored backup may lack the removed entry, or have it with an earlier ID. An entry that stands in its lists was
 * added again, and gets no tombstone.
 */
export function adoptTombstones(tx: Transaction, tombstones: readonly TombstoneRow[]): void {
  for (const row of tombstones) {
    if (tx.first(HAS_ENTRY, { entry_id: row.entry_id })) continue;
    const reason_code = toRemovalReason(row.reason_code);
    const insert = sqlBuilder.insertInto('tombstones').values({ ...row, reason_code });
    // Without a hash, that of the ID in the backup is better.
    tx.run(row.id_hash === null ? insert.orIgnore() : insert.orReplace());
  }
}

const HAS_ENTRY = sqlBuilder
  .selectFrom('entries')
  .select('row')
  .where('entry_id', '=', param('entry_id'))
  .compile();
