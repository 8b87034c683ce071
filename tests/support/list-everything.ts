/** All that the public sees of a database, for tests that compare two. */
import type { Database } from '#src/db/database.ts';
import { LIST_KINDS } from '#src/entries/entry.ts';
import { readPublic } from './plain-lists.ts';

/** When an entry was last written says when a file was imported, and not what it says. */
export function listEverything(db: Database): readonly (readonly object[])[] {
  return LIST_KINDS.map((list) =>
    readPublic(db, list)
      .map(({ updatedAt: _at, row: _row, ...entry }) => entry)
      .sort((one, other) => (one._id < other._id ? -1 : 1)),
  );
}
