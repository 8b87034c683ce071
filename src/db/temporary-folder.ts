import { chmodSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Makes the folder for SQLite's temporary files, which hold private texts. */
export function makeTemporaryFolder(databasePath: string): string {
  const folder = join(dirname(databasePath), 'temporary');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  return folder;
}

/** The process that runs VACUUM holds this lock; other processes cannot write meanwhile. */
export function vacuumLock(databasePath: string): string {
  return join(makeTemporaryFolder(databasePath), 'vacuum.lock');
}
