/** Counted views that the worker has not added to the entries yet. No number is given twice, so each is added once. */
import { existsSync } from 'node:fs';
import type { Generated } from 'kysely';
import { besideDatabase } from '../data-files.ts';
import { openDatabase, param, sqlBuilder, type Database } from '../db/database.ts';
import { findProperty, setProperty } from '../db/properties.ts';

/** Short, because the web process must not wait for a stopped worker. */
const BUSY_TIMEOUT_MS = 50;

const SCHEMA = `
-- Names the file: another one gives the same numbers again.
CREATE TABLE IF NOT EXISTS file (id TEXT NOT NULL) STRICT;
INSERT INTO file SELECT lower(hex(randomblob(8))) WHERE NOT EXISTS (SELECT 1 FROM file);
CREATE TABLE IF NOT EXISTS counts (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  entry_id TEXT NOT NULL,
  count INTEGER NOT NULL
) STRICT;`;

export const buildViews = sqlBuilder.$extendTables<{
  file: { id: string };
  counts: { number: Generated<number>; entry_id: string; count: number };
}>();

export function viewsPath(databasePath: string): string {
  return besideDatabase(databasePath, 'views.db');
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

/** Identity of views.db and its last added number. The order of `popular` follows this value. */
const PROPERTY = 'popularity';

export function applyViewCounts(db: Database, write: Database['write']): { readonly views: number } {
  const path = viewsPath(db.path);
  if (!existsSync(path)) return { views: 0 };
  using views = openViews(path);
  const file = views.first(buildViews.selectFrom('file').select('id'))?.id;
  const [known, number] = readViewsVersion(db).split(' ');
  const added = known === file ? Number(number) : 0;
  const counts = views.all(
    buildViews.selectFrom('counts').selectAll().where('number', '>', added).orderBy('number'),
  );
  const last = counts.at(-1)?.number ?? added;
  if (counts.length > 0)
    write((tx) => {
      for (const { entry_id: entryId, count } of counts) tx.run(ADD_VIEWS, { entryId, count });
      setProperty(tx, PROPERTY, `${file} ${last}`);
    });
  // Also what a killed run has added.
  views.write((tx) => tx.run(buildViews.deleteFrom('counts').where('number', '<=', last)));
  return { views: counts.reduce((sum, { count }) => sum + count, 0) };
}

const ADD_VIEWS = sqlBuilder
  .updateTable('entries')
  .set((is) => ({ views: is('views', '+', param('count')) }))
  .where('entry_id', '=', param('entryId'))
  .compile();

export function readViewsVersion(db: Database): string {
  return findProperty(db, PROPERTY) ?? '';
}
