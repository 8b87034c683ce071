import { sqlBuilder, type Database } from '../db/database.ts';
import type { ListKind } from './entry.ts';

/** @param list counts only its own */
export function countEntries(db: Database, list?: ListKind): number {
  const entries = sqlBuilder.selectFrom('entries').select(({ fn }) => fn.countAll<number>().as('count'));
  return db.first(list ? entries.where('list', '=', list) : entries)?.count ?? 0;
}
