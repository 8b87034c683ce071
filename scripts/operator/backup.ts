/**
 * A copy of the database and the original images, made while the server runs; restore.ts is the way back, and makes the
 * public pictures again.
 */
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makePrivateFile, openDatabase } from '#src/db/database.ts';
import type { Database } from '#src/db/database.ts';
import { BadInputError } from './outcome.ts';

export const DATABASE_NAME = 'czujka.db';
export const ORIGINALS_FOLDER = 'proofs/originals';

export interface BackupReport {
  readonly entries: number;
  readonly files: number;
}

/**
 * One moment of the database (VACUUM INTO reads in one transaction), checked before the folder gets its name.
 * @param folder must not exist
 */
export async function backupDatabase(
  db: Database,
  dataFolder: string,
  folder: string,
): Promise<BackupReport> {
  if (existsSync(folder)) throw new BadInputError(`${folder} exists; name a new folder`);
  const temporary = `${resolve(folder)}.part`;
  if (lstatSync(temporary, { throwIfNoEntry: false }))
    throw new BadInputError(
      `${temporary} exists, perhaps left by a backup that was killed; delete it, or name another folder`,
    );
  mkdirSync(temporary, { recursive: true, mode: 0o700 });
  try {
    makePrivateFile(join(temporary, DATABASE_NAME));
    db.connection.prepare('VACUUM INTO ?').run(join(temporary, DATABASE_NAME));
    const copy = openDatabase(join(temporary, DATABASE_NAME), 'read');
    const entries = checkIntegrity(copy);
    copy.close();
    const files = copyFiles(join(dataFolder, ORIGINALS_FOLDER), join(temporary, ORIGINALS_FOLDER));
    renameSync(temporary, folder);
    return { entries, files };
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
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

function copyFiles(from: string, to: string): number {
  if (!existsSync(from)) return 0;
  cpSync(from, to, { recursive: true });
  return readdirSync(to).length;
}
