/** Small facts that the database keeps by name: marks of how far something has come, and what holds for all of it. */
import type { Database } from './database.ts';

/** Undefined when there is none. */
export function findProperty(db: Database, key: string): string | undefined {
  return db.statement<{ value: string }>('SELECT value FROM properties WHERE key = ?').get(key)?.value;
}

/** Numbers are kept as their text. */
export function setProperty(db: Database, key: string, value: string | number): void {
  db.statement('INSERT OR REPLACE INTO properties (key, value) VALUES (?, ?)').run(key, String(value));
}

export function removeProperty(db: Database, key: string): void {
  db.statement('DELETE FROM properties WHERE key = ?').run(key);
}
