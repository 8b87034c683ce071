/** Counted views that the worker has not added to the entries yet. No number is given twice, so each is added once. */
import { dirname, join } from 'node:path';
import type { Generated } from 'kysely';
import { sqlBuilder, openDatabase, type Database } from '../db/database.ts';

/** Short, because the web process must not wait for a stopped worker. */
const BUSY_TIMEOUT_MS = 50;

const SCHEMA = `
-- Names the file: another one gives the same numbers again.
CREATE TABLE IF NOT EXISTS file (id TEXT NOT NULL) STRICT;
INSERT INTO file SELECT lower(hex(randomblob(8))) WHERE NOT EXISTS (SELECT 1 FROM file);
CREATE TABLE IF NOT EXISTS counts (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  entry_id TEXT NOT NULL,
  count INTEGER NOT NULL
) STRICT;`;

export const buildViews = sqlBuilder.$extendTables<{
  file: { id: string };
  counts: { number: Generated<number>; entry_id: string; count: number };
}>();

export function viewsPath(databasePath: string): string {
  return join(dirname(databasePath), 'views.db');
}

export function openViews(path: string): Database {
  const db = openDatabase(path, 'write');
  try {
    // A power cut may lose recent counts, because requests must not wait for the disk.
    db.connection.pragma('synchronous = NORMAL');
    db.connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    db.write(() => db.connection.exec(SCHEMA));
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
