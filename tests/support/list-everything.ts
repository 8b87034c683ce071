import type { Database } from '#src/db/database.ts';
import { LIST_KINDS } from '#src/entries/entry.ts';
import { readPublic } from './plain-lists.ts';

/** All that the public sees of a database, without what each database counts by itself: for tests that compare two. */
export function listEverything(db: Database): unknown[] {
  return LIST_KINDS.flatMap((list) => readPublic(db, list))
    .map(({ row: _row, updatedAt: _written, ...entry }) => entry)
    .sort((one, other) => (one._id < other._id ? -1 : 1));
}
