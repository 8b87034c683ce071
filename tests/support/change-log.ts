/** Writes to the change log that a test needs without what the verbs do beside them. */
import { readLogHead } from '#src/changes/change-log.ts';
import type { RemovalReason } from '#src/removals/removal-reasons.ts';
import type { RemovalEvent } from '#src/removals/removals.ts';
import { sqlBuilder, type Database } from '#src/db/database.ts';
import type { Tables } from '#src/db/tables.ts';
import type { ListKind } from '#src/entries/entry.ts';
import { removeEntries, type RemoveOptions } from '#src/removals/remove-entries.ts';
import { findEntryRowByChatId } from '#src/entries/find-entry-rows.ts';

export type LogChange = Omit<Tables['changes'], 'seq'>;

export function appendChange(db: Database, change: LogChange): number {
  return db.write((tx) => Number(tx.run(sqlBuilder.insertInto('changes').values(change)).lastInsertRowid));
}

export function recordRemoval(db: Database, removal: Omit<RemovalEvent, 'logId' | 'change'>): void {
  const { logId: history, seq: change } = readLogHead(db);
  db.write((tx) => tx.run(sqlBuilder.replaceInto('removals').values({ ...removal, history, change })));
}

/** @returns false when the list has no such entry */
export function removeEntry(
  db: Database,
  list: ListKind,
  chatId: string,
  reason_code: RemovalReason,
  at: number,
  options?: RemoveOptions,
): boolean {
  const row = findEntryRowByChatId(db, list, chatId);
  if (!row) return false;
  return removeEntries(db, [{ ...row, reason_code, at }], options).length === 0;
}
