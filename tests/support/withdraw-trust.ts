/** Takes an entry of the trusted list from the public, as it stays in the database. */
import { readLastChange } from '#src/changes/append-change.ts';
import type { Database } from '#src/db/database.ts';
import { toWrite } from '#src/entries/entry-row.ts';
import { findRow, writeEntries } from '#src/entries/write-entries.ts';

export function withdrawTrust(db: Database, chatId: string): void {
  const row = findRow(db, 'legit', chatId);
  if (!row) throw new Error(`the trusted list has no ${chatId}`);
  const withdrawn = { ...toWrite(row), verified: false };
  writeEntries(db, 'legit', [withdrawn], { preparedAt: readLastChange(db, 'legit'), now: Date.now() });
}
