import { makePrivateFile, openDatabase } from './database.ts';

/** Uses its own connection because VACUUM INTO cannot run in a transaction. */
export function copyDatabase(from: string, to: string): void {
  using db = openDatabase(from, 'read');
  makePrivateFile(to);
  db.connection.prepare('VACUUM INTO ?').run(to);
}
