import type { Database } from './database.ts';

export function checkFile(db: Database): string[] {
  return quickCheck(db, '5');
}

/** Leaves out the check of FTS5's words, which takes ten times as long as that of all pages in use. */
export function checkTables(db: Database): string[] {
  const tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0";
  const names = db.statement<string>(tables).pluck().all();
  return names.flatMap((table) => quickCheck(db, table));
}

function quickCheck(db: Database, what: string): string[] {
  const found = db.connection.pragma(`quick_check(${what})`) as { quick_check: string }[];
  return found.map((row) => row.quick_check).filter((problem) => problem !== 'ok');
}
