import type { Database } from './database.ts';

/** Reads the whole file and returns what SQLite finds wrong with it. */
export function checkFile(db: Database): string[] {
  const found = db.connection.pragma('quick_check(5)') as { quick_check: string }[];
  return found.map((row) => row.quick_check).filter((problem) => problem !== 'ok');
}
