/** Counts the entries of a backup. The names are those in a plain folder, such as the copy from before an update. */
import { build, type Database } from '#src/db/database.ts';
import type { ListKind } from '#src/entries/entry.ts';

export const DATABASE_NAME = 'czujka.db';
export const ORIGINALS_FOLDER = 'proofs/originals';

export interface BackupReport {
  readonly entries: number;
  readonly files: number;
}

/** @param list counts only its own */
export function countEntries(db: Database, list?: ListKind): number {
  const entries = build.selectFrom('entries').select(({ fn }) => fn.countAll<number>().as('count'));
  return db.first(list ? entries.where('list', '=', list) : entries)?.count ?? 0;
}
