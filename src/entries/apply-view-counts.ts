import { existsSync } from 'node:fs';
import { sqlBuilder, param, type Database } from '../db/database.ts';
import { findProperty, setProperty } from '../db/properties.ts';
import { buildViews, openViews, viewsPath } from './views-file.ts';

/** Identity of views.db and its last added number. The order of `popular` follows this value. */
const PROPERTY = 'popularity';

export function applyViewCounts(
  db: Database,
  write: (change: () => void) => void,
): { readonly views: number } {
  const path = viewsPath(db.path);
  if (!existsSync(path)) return { views: 0 };
  using views = openViews(path);
  const file = views.first(buildViews.selectFrom('file').select('id'))?.id;
  const [known, number] = readPopularity(db).split(' ');
  const added = known === file ? Number(number) : 0;
  const counts = views.all(
    buildViews.selectFrom('counts').selectAll().where('number', '>', added).orderBy('number'),
  );
  const last = counts.at(-1)?.number ?? added;
  if (counts.length > 0)
    write(() => {
      for (const { entry_id: entryId, count } of counts) db.run(ADD_VIEWS, { entryId, count });
      setProperty(db, PROPERTY, `${file} ${last}`);
    });
  // Also what a killed run has added.
  views.run(buildViews.deleteFrom('counts').where('number', '<=', last));
  return { views: counts.reduce((sum, { count }) => sum + count, 0) };
}

const ADD_VIEWS = sqlBuilder
  .updateTable('entries')
  .set((is) => ({ views: is('views', '+', param('count')) }))
  .where('entry_id', '=', param('entryId'))
  .compile();

export function readPopularity(db: Database): string {
  return findProperty(db, PROPERTY) ?? '';
}
