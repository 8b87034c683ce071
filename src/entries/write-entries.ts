/**
 * The one place that writes entries. Every write appends to the change log in its own transaction; nothing else may
 * insert, update or delete a row of `entries`. Additions and changes end in write-staged-entries.ts, its other half.
 */
import { appendChange } from '../changes/append-change.ts';
import { recordRemoval } from '../changes/removals.ts';
import type { Database } from '../db/database.ts';
import { listProofItems } from './contents.ts';
import type { EntryRow, EntryWrite } from './entry-row.ts';
import type { ListKind } from './entry.ts';
import type { RemovalReason } from './removal-reasons.ts';
import { createStaging, stageEntry, writeStagedEntries } from './write-staged-entries.ts';

/**
 * Adds and updates entries of one list in one transaction; texts that are referred to no longer go afterwards.
 * @param writes unchanged entries are left out by the caller
 * @param preparedAt readLastChange at the moment when the writes were compared with the list
 * @throws {ListChangedError} and changes nothing when the list has changed since
 */
export function writeEntries(
  db: Database,
  list: ListKind,
  writes: Iterable<EntryWrite>,
  preparedAt: number,
  now: number,
): void {
  createStaging(db);
  db.snapshot(() => {
    for (const write of writes) {
      const row = findRow(db, list, write.chatId);
      const before = row && { row, proofItems: listProofItems(db, row.content) };
      stageEntry(db, write, listProofItems(db, write.content), before);
    }
  });
  writeStagedEntries(db, list, preparedAt, now, () => {});
}

/**
 * Removes an entry with its texts and proofs; a tombstone without anything personal stays.
 * @returns false when there is no such entry
 */
export function removeEntry(
  db: Database,
  list: ListKind,
  chatId: string,
  reason: RemovalReason,
  now: number,
): boolean {
  return db.write(() => {
    const entry = findRow(db, list, chatId);
    if (!entry) return false;
    db.run(db.sql.deleteFrom('entries').where('row', '=', entry.row));
    db.run(db.sql.deleteFrom('contents').where('content', '=', entry.content));
    db.run(db.sql.deleteFrom('proof_changes').where('entry_id', '=', entry.entry_id));
    const tombstone = {
      entry_id: entry.entry_id,
      report_id: entry.report_id,
      list,
      removed_at: now,
      reason_code: reason,
    };
    db.run(
      db.sql
        .insertInto('tombstones')
        .values(tombstone)
        .onConflict((conflict) => conflict.doUpdateSet(tombstone)),
    );
    appendChange(db, { at: now, op: 'removed', list, entryId: entry.entry_id });
    recordRemoval(db, { at: now, list, entryId: entry.entry_id, what: 'entry', reasonCode: reason });
    return true;
  });
}

/** Undefined when the list has no entry with this chat ID. */
export function findRow(db: Database, list: ListKind, chatId: string): EntryRow | undefined {
  return db.statement<EntryRow>('SELECT * FROM entries WHERE chat_id = ? AND list = ?').get(chatId, list);
}
