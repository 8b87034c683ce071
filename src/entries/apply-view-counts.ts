import { existsSync } from 'node:fs';
import { build, given, type Database } from '../db/database.ts';
import { findProperty, setProperty } from '../db/properties.ts';
import { buildViews, openViews, viewsPath } from './views-file.ts';

/** Identity of views.db and its last added batch. The order of `popular` follows this value. */
const PROPERTY = 'popularity';

export function applyViewCounts(
  db: Database,
  write: (change: () => void) => void,
): { readonly views: number } {
  const path = viewsPath(db.path);
  if (!existsSync(path)) return { views: 0 };
  using views = openViews(path);
  const upTo = (batch: number) => buildViews.deleteFrom('views').where('batch', '<=', batch);
  const [knownFile, added] = readPopularity(db).split(' ');
  // A killed run may have left an added batch.
  const last = views.first(buildViews.selectFrom('batches').select('file'));
  if (last?.file === knownFile) views.run(upTo(Number(added)));
  const closed = views.first(CLOSE_BATCH);
  if (!closed) return { views: 0 };
  const batch = closed.open - 1;
  const counts = views.all(SUM_COUNTS, { batch });
  write(() => {
    for (const { entryId, count } of counts) db.run(ADD_VIEWS, { entryId, count });
    setProperty(db, PROPERTY, `${closed.file} ${batch}`);
  });
  views.run(upTo(batch));
  return { views: counts.reduce((sum, { count }) => sum + count, 0) };
}

const CLOSE_BATCH = buildViews
  .updateTable('batches')
  .set((is) => ({ open: is('open', '+', 1) }))
  .where((is) => is.exists(buildViews.selectFrom('views').select('batch')))
  .returning(['file', 'open']);
const SUM_COUNTS = buildViews
  .selectFrom('views')
  .select(({ fn }) => ['entry_id as entryId', fn.sum<number>('count').as('count')])
  .where('batch', '<=', given('batch'))
  .groupBy('entry_id')
  .compile();
const ADD_VIEWS = build
  .updateTable('entries')
  .set((is) => ({ views: is('views', '+', given('count')) }))
  .where('entry_id', '=', given('entryId'))
  .compile();

export function readPopularity(db: Database): string {
  return findProperty(db, PROPERTY) ?? '';
}
