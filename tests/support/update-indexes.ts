/** Makes sorted lists and full text as the worker does, and brings them to the newest change. */
import type { Database } from '#src/db/database.ts';
import { createIndexUpdater } from '#src/lists/update-list-indexes.ts';
import { createSearchUpdater } from '#src/search/update-search-file.ts';

export async function updateIndexes(db: Database): Promise<void> {
  await createIndexUpdater(db).catchUp();
  using search = createSearchUpdater(db);
  await search.catchUp();
}
