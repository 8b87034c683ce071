/** All that the public sees of a database, for tests that compare two. */
import type { Database } from '#src/db/database.ts';
import { LIST_KINDS } from '#src/entries/entry.ts';
import type { Entry, ListKind } from '#src/entries/entry.ts';
import { listEntries } from '#src/entries/list-entries.ts';
import { LIMIT_MAX, SORTS } from '#src/entries/list-query.ts';
import type { Sort } from '#src/entries/list-query.ts';

/** When an entry was last written says when a file was imported, and not what it says. */
type ComparableEntry = Omit<Entry, 'updatedAt'>;

/** Every list in every order, walked page by page. */
export function listEverything(db: Database): Record<string, ComparableEntry[]> {
  return Object.fromEntries(
    LIST_KINDS.flatMap((list) => SORTS.map((sort) => [`${list} ${sort}`, listAll(db, list, sort)])),
  );
}

function listAll(db: Database, list: ListKind, sort: Sort): ComparableEntry[] {
  const found: ComparableEntry[] = [];
  for (;;) {
    const page = listEntries(db, list, {
      search: undefined,
      id: undefined,
      status: 'all',
      proofs: 'all',
      sort,
      skip: found.length,
      limit: LIMIT_MAX,
    });
    found.push(...page.entries.map(({ updatedAt: _left, ...entry }) => entry));
    if (!page.hasMore) return found;
  }
}
