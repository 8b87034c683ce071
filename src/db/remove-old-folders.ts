import { readdirSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { COPY_FOLDER } from './migration-copy.ts';
import { removeOwnFolder } from './own-folder.ts';
import { LEAP_MAX_MS, type RetentionTime } from './retention-time.ts';

export const RESTORE_PREFIX = '.restore-';
const HOUR_MS = 3_600_000;
/** No restore takes longer, even when the edge moves by all that it may. */
const RESTORE_AGE_MS = LEAP_MAX_MS + 6 * HOUR_MS;
const COPY_AGE_MS = 7 * 24 * HOUR_MS;

export function removeOldFolders(databasePath: string, { edge, latest, isBelieved }: RetentionTime): void {
  const folder = dirname(databasePath);
  for (const name of readdirSync(folder)) {
    const isCopy = COPY_FOLDER.test(name);
    if (!isCopy && !name.startsWith(RESTORE_PREFIX)) continue;
    const path = join(folder, name);
    const { mtimeMs } = statSync(path);
    if (edge - mtimeMs > (isCopy ? COPY_AGE_MS : RESTORE_AGE_MS)) removeOwnFolder(path);
    // Made under a wrong clock.
    else if (isBelieved && mtimeMs > latest) utimesSync(path, edge / 1_000, edge / 1_000);
  }
}
