/** Files that versions before the read model kept beside the database. */
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Safe at any time: nothing reads them any more. */
export function removeOldFolders(databasePath: string): void {
  for (const name of ['indexes', 'search']) {
    rmSync(join(dirname(databasePath), name), { recursive: true, force: true });
  }
  // What a large import held.
  rmSync(`${databasePath}.import`, { force: true });
}
