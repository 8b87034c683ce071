/** Makes sorted lists and full text as the worker does, and brings them to the newest change. */
import type { Database } from '#src/db/database.ts';
import { createIndexKeeper } from '#src/serving/keep-list-indexes.ts';
import { createSearchKeeper } from '#src/serving/keep-search.ts';

export async function keepServing(db: Database): Promise<void> {
  await createIndexKeeper(db).follow();
  const search = createSearchKeeper(db);
  await search.follow();
  search.close();
}
