import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { COPY_FOLDER } from './migration-copy.ts';
import { removeOwnFolder } from './own-folder.ts';

export const RESTORE_PREFIX = '.restore-';
const HOUR_MS = 3_600_000;
const RESTORE_AGE_MS = 6 * HOUR_MS;
const COPY_AGE_MS = 7 * 24 * HOUR_MS;

export function removeOldFolders(databasePath: string): void {
  const folder = dirname(databasePath);
  for (const name of readdirSync(folder)) {
    const isCopy = COPY_FOLDER.test(name);
    if (!isCopy && !name.startsWith(RESTORE_PREFIX)) continue;
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > (isCopy ? COPY_AGE_MS : RESTORE_AGE_MS)) removeOwnFolder(path);
  }
}
