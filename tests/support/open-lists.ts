/** The read model as a web process opens it, with a search thread of its own. */
import type { Database } from '#src/db/database.ts';
import { createSearchPool } from '#src/search/search-pool.ts';
import { createListReader } from '#src/lists/list-reader.ts';

/** `failures` are messages about threads that ended. */
export function openLists(db: Database) {
  const failures: unknown[] = [];
  const onTrouble = (error: unknown): void => void failures.push(error);
  const searches = createSearchPool({ databasePath: db.path, onTrouble });
  return { lists: createListReader(db, searches), failures, close: () => searches.close() };
}
