/** Names of files and folders that the service keeps beside the database, which therefore has another name. */
import { dirname, join } from 'node:path';

export const DATA_FILES = [
  'search.db',
  'views.db',
  'undo.db',
  'removed.ndjson',
  'removed.key',
  'donation-addresses.json',
  'worker.lock',
  'backup.lock',
  'reserve',
] as const;

export const DATA_FOLDERS = ['snapshots', 'proofs', 'avatars', 'temporary'] as const;

type DataName = (typeof DATA_FILES)[number] | (typeof DATA_FOLDERS)[number];

/** @returns the path of a file or folder beside the database */
export function besideDatabase(databasePath: string, name: DataName): string {
  return join(dirname(databasePath), name);
}
