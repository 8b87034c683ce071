/** The copy from before a migration, for the way back. It stays seven days, or until the first removal. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkFile } from './check-file.ts';
import { copyDatabase, openDatabase, type Database } from './database.ts';
import { fileBytes, readRoom } from './disk-room.ts';
import { markOwnFolder, removeOwnFolder } from './own-folder.ts';
import type { RetentionTime } from './retention-time.ts';
import { syncPath } from './write-file-atomic.ts';

const COPY_FOLDER = /^before-\d{4}$/;
const COPY_AGE_MS = 7 * 24 * 3_600_000;
const NAME = 'czujka.db';
/** In sizes of the database: the copy, new tables beside old ones, and the WAL. */
const ROOM = 2.5;

export function copyFolder(databasePath: string, migration: string): string {
  return join(dirname(databasePath), `before-${migration.slice(0, 4)}`);
}

export function hasCopy(folder: string): boolean {
  return existsSync(join(folder, NAME));
}

/** The caller holds the write lock. A killed process leaves no copy or a whole one. */
export function makeCopy(db: Database, migration: string): void {
  const needed = ROOM * (fileBytes(db.path) + fileBytes(`${db.path}-wal`));
  const { free } = readRoom(db);
  if (free < needed)
    throw new Error(
      `the migration of ${db.path} needs ${inMb(needed)} on its disk, with the copy that is kept from before; ${inMb(free)} are free`,
    );
  const folder = copyFolder(db.path, migration);
  const part = join(folder, `.part-${NAME}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  markOwnFolder(folder);
  rmSync(part, { force: true });
  copyDatabase(db.path, part);
  {
    using copy = openDatabase(part, 'read');
    const [problem] = checkFile(copy);
    if (problem !== undefined)
      throw new Error(`the copy of ${db.path} from before the migration is damaged: ${problem}`);
  }
  syncPath(part);
  renameSync(part, join(folder, NAME));
  syncPath(folder);
  syncPath(dirname(folder));
}

function listCopies(databasePath: string): string[] {
  const folder = dirname(databasePath);
  const names = readdirSync(folder).filter((name) => COPY_FOLDER.test(name));
  return names.map((name) => join(folder, name));
}

/** They contain removed entries. */
export function removeCopies(databasePath: string): void {
  for (const path of listCopies(databasePath)) removeOwnFolder(path);
}

export function removeOldCopies(databasePath: string, { edge, latest, isBelieved }: RetentionTime): void {
  for (const path of listCopies(databasePath)) {
    const { mtimeMs } = statSync(path);
    if (edge - mtimeMs > COPY_AGE_MS) removeOwnFolder(path);
    // Made under a wrong clock.
    else if (isBelieved && mtimeMs > latest) utimesSync(path, edge / 1_000, edge / 1_000);
  }
}

function inMb(bytes: number): string {
  return `${Math.ceil(bytes / 1_000_000)} MB`;
}
