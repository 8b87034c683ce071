/** The read model as a web process opens it, with a search thread of its own. */
import type { Database } from '#src/db/database.ts';
import { createSearchPool } from '#src/serving/search-pool.ts';
import { createServing } from '#src/serving/serving.ts';
import type { Serving } from '#src/serving/serving.ts';

export interface OpenServing {
  readonly serving: Serving;
  /** Messages about threads that ended. */
  readonly failures: readonly unknown[];
  readonly close: () => Promise<void>;
}

export function openServing(db: Database): OpenServing {
  const failures: unknown[] = [];
  const onFailure = (error: unknown): void => void failures.push(error);
  const searches = createSearchPool({ databasePath: db.path, onThreadEnd: onFailure });
  const serving = createServing(db, searches);
  return {
    serving,
    failures,
    close: async () => {
      await searches.close();
    },
  };
}
