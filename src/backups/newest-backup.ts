/** When the newest backup was made, as the worker tells it to those who do not look into the folder themselves. */
import type { Database } from '../db/database.ts';

const PROPERTY = 'newest_backup';

/** `never`: backups are to be made, and none is there. Undefined: none are to be made. Else epoch milliseconds. */
export type NewestBackup = number | 'never' | undefined;

export function findNewestBackup(db: Database): NewestBackup {
  const row = db.statement<{ value: string }>('SELECT value FROM properties WHERE key = ?').get(PROPERTY);
  if (!row) return undefined;
  return row.value === 'never' ? 'never' : Number(row.value);
}

export function recordNewestBackup(db: Database, newest: NewestBackup): void {
  if (newest === undefined) db.statement('DELETE FROM properties WHERE key = ?').run(PROPERTY);
  else
    db.statement('INSERT OR REPLACE INTO properties (key, value) VALUES (?, ?)').run(
      PROPERTY,
      String(newest),
    );
}
