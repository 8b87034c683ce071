/** Names of files and folders that the service keeps beside the database, which therefore has another name. */
export const DATA_FILES: readonly string[] = [
  'search.db',
  'views.db',
  'undo.db',
  'removed.ndjson',
  'removed.key',
  'donation-addresses.json',
  'worker.lock',
  'backup.lock',
  'reserve',
];

export const DATA_FOLDERS: readonly string[] = ['snapshots', 'proofs', 'avatars', 'temporary'];
