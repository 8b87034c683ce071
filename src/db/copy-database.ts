import { makePrivateFile, openDatabase } from './database.ts';

/**
 * Copies what is committed into a file that only the service may read: one moment of it, without free pages. It opens a
 * connection of its own, because VACUUM INTO runs in no transaction.
 */
export function copyDatabase(from: string, to: string): void {
  const db = openDatabase(from, 'read');
  try {
    makePrivateFile(to);
    db.connection.prepare('VACUUM INTO ?').run(to);
  } finally {
    db.close();
  }
}
