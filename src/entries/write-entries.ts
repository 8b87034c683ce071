/** Nothing else writes `entries`; every write appends to the change log in its own transaction. */
import { appendChange } from '../changes/append-change.ts';
import { findEntryRemoval, recordRemoval } from '../changes/removals.ts';
import { hashRemovedId, makeRemovedKey } from '../changes/removed-key.ts';
import { build, given, type Database } from '../db/database.ts';
import { listProofItems, type Content } from './contents.ts';
import type { EntryRow, EntryWrite } from './entry-row.ts';
import type { ListKind } from './entry.ts';
import { toPublished } from './published.ts';
import type { RemovalReason } from '../changes/removal-reasons.ts';
import { createStaging, stageEntry, writeStagedEntries, type WriteOptions } from './write-staged-entries.ts';

export function writeEntries(db: Database, writes: Iterable<EntryWrite>, options: WriteOptions): void {
  createStaging(db);
  db.read(() => {
    for (const write of writes) stageEntry(db, write, findRow(db, write.list, write.chat_id));
  });
  writeStagedEntries(db, options);
}

/**
 * Leaves an anonymous tombstone.
 * @param how an undo takes back an addition: unless the entry was removed before, imports and restores may add it again
 */
export function removeEntry(
  db: Database,
  list: ListKind,
  chatId: string,
  reason: RemovalReason,
  now: number,
  by?: string,
  how?: 'undo',
): boolean {
  return db.write((tx) => {
    const entry = findRow(db, list, chatId);
    if (!entry) return false;
    const key = makeRemovedKey(tx);
    const { entry_id } = entry;
    const before = how && findEntryRemoval(db, entry_id);
    const { at, reason_code } = before ?? { at: now, reason_code: reason };
    const isWithdrawn = how === undefined || before !== undefined;
    // The foreign keys delete its texts, proofs and published row.
    db.run(build.deleteFrom('entries').where('row', '=', entry.row));
    db.run(build.deleteFrom('proof_changes').where('entry_id', '=', entry_id));
    const tombstone = {
      entry_id,
      report_id: entry.report_id,
      list,
      removed_at: at,
      reason_code,
      id_hash: key && isWithdrawn ? hashRemovedId(key, list, chatId) : null,
    };
    db.run(
      build
        .insertInto('tombstones')
        .values(tombstone)
        .onConflict((conflict) => conflict.doUpdateSet(tombstone)),
    );
    const seq = appendChange(tx, { at: now, op: 'removed', list, entry_id });
    if (by ?? how)
      db.run(build.insertInto('change_notes').values({ seq, by: by ?? null, fields: null, how }));
    if (isWithdrawn) recordRemoval(tx, { at, list, entry_id, what: 'entry', reason_code });
    return true;
  });
}

export function findRow(db: Database, list: ListKind, chatId: string): EntryRow | undefined {
  return db.first(FIND_ROW, { chatId, list });
}

const FIND_ROW = build
  .selectFrom('entries')
  .selectAll()
  .where('chat_id', '=', given('chatId'))
  .where('list', '=', given('list'))
  .compile();

export function isShownAs(db: Database, row: EntryRow, content: Content): boolean {
  const shown = db.first(
    build.selectFrom('published').select(['flags', 'card', 'json']).where('row', '=', row.row),
  );
  return (
    JSON.stringify(shown) === JSON.stringify(toPublished(row, content.descHtml)) &&
    JSON.stringify(listProofItems(db, row.row)) === JSON.stringify(content.proofItems)
  );
}

/** Publishes these texts, in a database that no process reads yet. */
export function replaceShown(db: Database, row: EntryRow, content: Content): void {
  for (const [position, { textHtml }] of content.proofItems.entries())
    db.run(
      build
        .updateTable('proof_items')
        .set({ text_html: textHtml })
        .where('row', '=', row.row)
        .where('position', '=', position),
    );
  const published = toPublished(row, content.descHtml);
  db.run(build.deleteFrom('published').where('row', '=', row.row));
  if (published)
    db.run(build.insertInto('published').values({ ...published, row: row.row, chat_id: row.chat_id }));
}
