/** All that the public sees of a database, for tests that compare two. */
import type { Database } from '#src/db/database.ts';
import { LIST_KINDS, type Entry, type ListKind } from '#src/entries/entry.ts';
import { SORTS, type Sort } from '#src/entries/list-query.ts';
import { listPlainly, readPublic } from './plain-lists.ts';

/** When an entry was last written says when a file was imported, and not what it says. */
type ComparableEntry = Omit<Entry, 'updatedAt' | 'excerpt'>;

/** Every list in every order. */
export function listEverything(db: Database): Record<string, ComparableEntry[]> {
  return Object.fromEntries(
    LIST_KINDS.flatMap((list) => SORTS.map((sort) => [`${list} ${sort}`, listAll(db, list, sort)])),
  );
}

function listAll(db: Database, list: ListKind, sort: Sort): ComparableEntry[] {
  const { entries } = listPlainly(readPublic(db, list), list, { limit: Number.POSITIVE_INFINITY, sort });
  return entries.map(({ updatedAt: _left, views: _views, row: _row, ...entry }) => entry);
}
