/** The mark of a database whose entries are invented: `seed` fills no other. */
import type { Database } from '../db/database.ts';
import { findProperty, setProperty } from '../db/properties.ts';

const PROPERTY = 'sample';

export function isSampleDatabase(db: Database): boolean {
  return findProperty(db, PROPERTY) !== undefined;
}

export function markSample(db: Database): void {
  setProperty(db, PROPERTY, 'yes');
}

/** From now on the database holds real entries. */
export function forgetSample(db: Database): void {
  setProperty(db, PROPERTY, undefined);
}
