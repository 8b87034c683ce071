/** Recorded by the worker for readers without access to the folder. */
import type { Database, Transaction } from '../db/database.ts';
import { findProperty, setProperty } from '../db/properties.ts';

const PROPERTY = 'newest_backup';

/** Epoch milliseconds; `never`: backups are enabled and none exists; undefined: backups are disabled. */
type NewestBackup = number | 'never' | undefined;

export function findNewestBackup(db: Database): NewestBackup {
  const value = findProperty(db, PROPERTY);
  return value === undefined || value === 'never' ? value : Number(value);
}

export function recordNewestBackup(tx: Transaction, newest: NewestBackup): void {
  setProperty(tx, PROPERTY, newest);
}
