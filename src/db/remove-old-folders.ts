/** What nobody reads any more beside the database: files of earlier versions, and what a killed `restore` had unpacked. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Begins the names of folders in which a backup is prepared. */
export const RESTORE_PREFIX = '.restore-';
/** Folders that earlier versions derived from the database, and that they left counts of views in. */
export const OLD_FOLDERS = ['indexes', 'search', 'serving', 'views'];
/** Longer than any restore takes. */
const RESTORE_AGE_MS = 6 * 3_600_000;

/** Safe at any time. */
export function removeOldFolders(databasePath: string): void {
  const folder = dirname(databasePath);
  for (const name of OLD_FOLDERS) {
    rmSync(join(folder, name), { recursive: true, force: true });
  }
  // What a large import held.
  rmSync(`${databasePath}.import`, { force: true });
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.startsWith(RESTORE_PREFIX) && Date.now() - statSync(path).mtimeMs > RESTORE_AGE_MS)
      rmSync(path, { recursive: true, force: true });
  }
}
