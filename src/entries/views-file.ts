/**
 * Counted views that the worker has not added to the entries yet. It closes a batch, adds it in the transaction that
 * stores its number, and then deletes it, so no batch is added twice.
 */
import { dirname, join } from 'node:path';
import { build, openDatabase, type Database } from '../db/database.ts';

/** Short, because the web process must not wait for a stopped worker. */
const BUSY_TIMEOUT_MS = 50;

const SCHEMA = `
CREATE TABLE IF NOT EXISTS batches (
  -- Names the file: another one gives the same numbers again.
  file TEXT NOT NULL,
  -- Counts are added to this batch.
  open INTEGER NOT NULL
) STRICT;
INSERT INTO batches SELECT lower(hex(randomblob(8))), 1 WHERE NOT EXISTS (SELECT 1 FROM batches);
CREATE TABLE IF NOT EXISTS views (
  batch INTEGER NOT NULL,
  entry_id TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (batch, entry_id)
) STRICT, WITHOUT ROWID;`;

export const buildViews = build.$extendTables<{
  batches: { file: string; open: number };
  views: { batch: number; entry_id: string; count: number };
}>();

export function viewsPath(databasePath: string): string {
  return join(dirname(databasePath), 'views.db');
}

export function openViews(path: string): Database {
  const db = openDatabase(path, 'write');
  try {
    // A power cut may lose recent counts, because requests must not wait for the disk.
    db.connection.pragma('synchronous = NORMAL');
    db.connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    db.write(() => db.connection.exec(SCHEMA));
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

export function addViews(views: Database, counts: ReadonlyMap<string, number>): void {
  views.write(() => {
    const batch = views.first(buildViews.selectFrom('batches').select('open'))?.open ?? 1;
    for (const [entryId, count] of counts) {
      const row = { batch, entry_id: entryId, count };
      views.run(
        buildViews
          .insertInto('views')
          .values(row)
          .onConflict((conflict) =>
            conflict
              .columns(['batch', 'entry_id'])
              .doUpdateSet((is) => ({ count: is('views.count', '+', is.ref('excluded.count')) })),
          ),
      );
    }
  });
}
