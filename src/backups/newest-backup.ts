/** When the newest backup was made, as the worker tells it to those who do not look into the folder themselves. */
import type { Database } from '../db/database.ts';
import { findProperty, removeProperty, setProperty } from '../db/properties.ts';

const PROPERTY = 'newest_backup';

/** `never`: backups are to be made, and none is there. Undefined: none are to be made. Else epoch milliseconds. */
export type NewestBackup = number | 'never' | undefined;

export function findNewestBackup(db: Database): NewestBackup {
  const value = findProperty(db, PROPERTY);
  return value === undefined || value === 'never' ? value : Number(value);
}

export function recordNewestBackup(db: Database, newest: NewestBackup): void {
  if (newest === undefined) removeProperty(db, PROPERTY);
  else setProperty(db, PROPERTY, newest);
}
