/** Counts and checks the entries of a backup. The names are those of the plain folders that older versions wrote. */
import type { Database } from '#src/db/database.ts';
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

export function countEntries(db: Database): number {
  return db.statement<{ count: number }>('SELECT count(*) AS count FROM entries').get()?.count ?? 0;
}
