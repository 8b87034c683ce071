/** Counts and checks the entries of a backup. The names are those of the plain folders that older versions wrote. */
import { build, type Database } from '#src/db/database.ts';
import type { ListKind } from '#src/entries/entry.ts';
import { BadInputError } from './outcome.ts';

export const DATABASE_NAME = 'czujka.db';
export const ORIGINALS_FOLDER = 'proofs/originals';

export interface BackupReport {
  readonly entries: number;
  readonly files: number;
}

/** @returns the number of entries. @throws {BadInputError} when it is damaged */
export function checkIntegrity(db: Database, name = db.path): number {
  const outcome = db.connection.pragma('integrity_check', { simple: true });
  if (outcome !== 'ok') throw new BadInputError(`${name} is damaged: ${String(outcome)}`);
  return countEntries(db);
}

/** @param list counts only its own */
export function countEntries(db: Database, list?: ListKind): number {
  const entries = build.selectFrom('entries').select(({ fn }) => fn.countAll<number>().as('count'));
  return db.first(list ? entries.where('list', '=', list) : entries)?.count ?? 0;
}
