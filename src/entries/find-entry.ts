/** One entry by a public name of it. */
import type { Database } from '../db/database.ts';
import type { Entry } from './entry.ts';
import { selectEntryColumns, toEntry } from './read-entry.ts';

/** Undefined for an ID that no public entry has, malformed ones among them. */
export function findEntryByProofsId(db: Database, proofsId: string): Entry | undefined {
  const row = db.first(selectEntryColumns(db).where('proofs_id', '=', proofsId));
  return row && toEntry(row);
}
