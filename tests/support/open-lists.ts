/** The read model as a web process opens it, with a search thread of its own. */
import type { Database } from '#src/db/database.ts';
import { createSearchPool } from '#src/search/search-pool.ts';
import { createLists, type Lists } from '#src/lists/lists.ts';

export interface OpenLists {
  readonly lists: Lists;
  /** Messages about threads that ended. */
  readonly failures: readonly unknown[];
  readonly close: () => Promise<void>;
}

export function openLists(db: Database): OpenLists {
  const failures: unknown[] = [];
  const onTrouble = (error: unknown): void => void failures.push(error);
  const searches = createSearchPool({ databasePath: db.path, onTrouble });
  return { lists: createLists(db, searches), failures, close: () => searches.close() };
}
