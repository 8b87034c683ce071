import type { Database } from './database.ts';

export function checkFile(db: Database): string[] {
  const found = db.connection.pragma('quick_check(5)') as { quick_check: string }[];
  return found.map((row) => row.quick_check).filter((problem) => problem !== 'ok');
}
