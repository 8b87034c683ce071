import { chmodSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** SQLite's temporary files contain private texts. */
export function makeTemporaryFolder(databasePath: string): string {
  const folder = join(dirname(databasePath), 'temporary');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  return folder;
}

export function vacuumLock(databasePath: string): string {
  return join(makeTemporaryFolder(databasePath), 'vacuum.lock');
}
