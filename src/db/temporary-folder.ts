import { chmodSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** For what SQLite writes beside its files, private texts included: for the service's own user alone. @returns its path */
export function makeTemporaryFolder(databasePath: string): string {
  const folder = join(dirname(databasePath), 'temporary');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  return folder;
}

/** The lock file of the process that runs VACUUM; while it does, others cannot write. */
export function vacuumLock(databasePath: string): string {
  return join(makeTemporaryFolder(databasePath), 'vacuum.lock');
}
