import { readdirSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { COPY_FOLDER } from './migration-copy.ts';
import { isInUse, isOwnFolder, removeOwnFolder } from './own-folder.ts';
import type { RetentionTime } from './retention-time.ts';

export const RESTORE_PREFIX = '.restore-';
const COPY_AGE_MS = 7 * 24 * 3_600_000;

/** Folders of killed restores, with what was removed since their backups. */
export function listKilledRestores(databasePath: string): string[] {
  const folder = dirname(databasePath);
  return readdirSync(folder)
    .filter((name) => name.startsWith(RESTORE_PREFIX))
    .map((name) => join(folder, name))
    .filter((path) => isOwnFolder(path) && !isInUse(path));
}

export function removeKilledRestores(databasePath: string): void {
  try {
    for (const folder of listKilledRestores(databasePath)) removeOwnFolder(folder);
  } catch {
    // No reason to stop a verb or a start: the doctor names what stays.
  }
}

export function removeOldCopies(databasePath: string, { edge, latest, isBelieved }: RetentionTime): void {
  const folder = dirname(databasePath);
  for (const name of readdirSync(folder)) {
    if (!COPY_FOLDER.test(name)) continue;
    const path = join(folder, name);
    const { mtimeMs } = statSync(path);
    if (edge - mtimeMs > COPY_AGE_MS) removeOwnFolder(path);
    // Made under a wrong clock.
    else if (isBelieved && mtimeMs > latest) utimesSync(path, edge / 1_000, edge / 1_000);
  }
}
