/** Writes a few entries at once, as imports write many: write-staged-entries.ts and remove-entries.ts append to the change log. */
import { sqlBuilder, param, type Database } from '../db/database.ts';
import { findAppeal } from './appeals.ts';
import { listProofItems, type Content } from './contents.ts';
import type { EntryRow, EntryWrite } from './entry-row.ts';
import type { ListKind } from './entry.ts';
import { toPublished } from './published.ts';
import { createStaging, stageEntry, writeStagedEntries, type WriteOptions } from './write-staged-entries.ts';

export function writeEntries(db: Database, writes: Iterable<EntryWrite>, options: WriteOptions): void {
  createStaging(db);
  db.writeTemporary(() => {
    for (const write of writes) stageEntry(db, write, findRow(db, write.list, write.chat_id));
  });
  db.write((tx) => writeStagedEntries(tx, options));
}

export function findRow(db: Database, list: ListKind, chatId: string): EntryRow | undefined {
  return db.first(FIND_ROW, { chatId, list });
}

const FIND_ROW = sqlBuilder
  .selectFrom('entries')
  .selectAll()
  .where('chat_id', '=', param('chatId'))
  .where('list', '=', param('list'))
  .compile();

export function isShownAs(db: Database, row: EntryRow, content: Content): boolean {
  const shown = db.first(
    sqlBuilder.selectFrom('published').select(['flags', 'card', 'json']).where('row', '=', row.row),
  );
  return (
    JSON.stringify(shown) === JSON.stringify(toPublished(row, content.descHtml, findAppeal(db, row.row))) &&
    JSON.stringify(listProofItems(db, row.row)) === JSON.stringify(content.proofItems)
  );
}

/** Publishes these texts, in a database that no process reads yet. */
export function replaceShown(db: Database, row: EntryRow, content: Content): void {
  for (const [position, { textHtml }] of content.proofItems.entries())
    db.run(
      sqlBuilder
        .updateTable('proof_items')
        .set({ text_html: textHtml })
        .where('row', '=', row.row)
        .where('position', '=', position),
    );
  const published = toPublished(row, content.descHtml, findAppeal(db, row.row));
  db.run(sqlBuilder.deleteFrom('published').where('row', '=', row.row));
  if (published)
    db.run(sqlBuilder.insertInto('published').values({ ...published, row: row.row, chat_id: row.chat_id }));
}
