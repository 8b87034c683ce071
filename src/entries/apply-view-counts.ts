/** Adds the views that the web process has counted (views-file.ts) to the entries. Runs in the worker, once a minute. */
import { existsSync } from 'node:fs';
import type { Database } from '../db/database.ts';
import { findProperty, setProperty } from '../db/properties.ts';
import { openViews, viewsPath } from './views-file.ts';

/** The name of views.db and the last batch that was added. The order of `popular` follows it. */
const PROPERTY = 'popularity';

interface Batch {
  readonly file: string;
  readonly batch: number;
}

/**
 * @param write runs a transaction
 * @returns how many views were added
 */
export function applyViewCounts(
  db: Database,
  write: (change: () => void) => void,
): { readonly views: number } {
  const path = viewsPath(db.path);
  if (!existsSync(path)) return { views: 0 };
  const views = openViews(path);
  try {
    const remove = views.statement('DELETE FROM views WHERE batch <= ?');
    const [knownFile, added] = readPopularity(db).split(' ');
    // The last run may have ended before it removed what it had added.
    if (views.statement('SELECT file FROM batches').pluck().get() === knownFile) remove.run(Number(added));
    const closed = views.statement<Batch>(CLOSE_BATCH).get();
    if (!closed) return { views: 0 };
    const counts = views.statement<{ entryId: string; count: number }>(SUM_COUNTS).all(closed.batch);
    write(() => {
      for (const { entryId, count } of counts)
        db.statement('UPDATE entries SET views = views + ? WHERE entry_id = ?').run(count, entryId);
      setProperty(db, PROPERTY, `${closed.file} ${closed.batch}`);
    });
    remove.run(closed.batch);
    return { views: counts.reduce((sum, { count }) => sum + count, 0) };
  } finally {
    views.close();
  }
}

const CLOSE_BATCH = `UPDATE batches SET open = open + 1 WHERE EXISTS (SELECT 1 FROM views)
  RETURNING file, open - 1 AS batch`;
const SUM_COUNTS = 'SELECT entry_id AS entryId, sum(count) AS count FROM views WHERE batch <= ? GROUP BY 1';

/** Differs after each new order of `popular`. */
export function readPopularity(db: Database): string {
  return findProperty(db, PROPERTY) ?? '';
}
