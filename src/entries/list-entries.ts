/** One page of a list (SPEC 4.1). */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { foldText } from '../text/fold-text.ts';
import type { Entry, ListKind } from './entry.ts';
import type { ListQuery, Sort } from './list-query.ts';
import { selectEntryColumns, selectPublicEntries, toEntry } from './read-entry.ts';

export interface EntriesPage {
  readonly entries: Entry[];
  /** Entries that match the filters, whatever skip and limit say. */
  readonly total: number;
  readonly hasMore: boolean;
}

type Column = 'reported_at' | 'entry_id' | 'views' | 'az_rank';
type Direction = 'asc' | 'desc';

/** Total orders of DESIGN section 3; the second of each pair is the exact reverse of the first. */
const NEWEST: readonly (readonly [Column, Direction])[] = [
  ['reported_at', 'desc'],
  ['entry_id', 'asc'],
];
const POPULAR: typeof NEWEST = [['views', 'desc'], ...NEWEST];
const ALPHABETICAL: typeof NEWEST = [['az_rank', 'asc']];
const ORDERS: Readonly<Record<Sort, typeof NEWEST>> = {
  newest: NEWEST,
  oldest: reversed(NEWEST),
  popular: POPULAR,
  popular_asc: reversed(POPULAR),
  az: ALPHABETICAL,
  za: reversed(ALPHABETICAL),
};

export function listEntries(db: Database, list: ListKind, query: ListQuery): EntriesPage {
  const matches = matching(list, query);
  if (!matches) return { entries: [], total: 0, hasMore: false };
  let page = selectEntryColumns(db).where(matches).limit(query.limit).offset(query.skip);
  for (const [column, direction] of ORDERS[query.sort]) page = page.orderBy(`entries.${column}`, direction);
  const count = selectPublicEntries(db)
    .innerJoin('contents', 'contents.content', 'entries.content')
    .where(matches)
    .select((select) => select.fn.countAll<number>().as('total'));
  return db.snapshot(() => {
    const entries = db.all(page).map(toEntry);
    const total = db.first(count)?.total ?? 0;
    return { entries, total, hasMore: query.skip + entries.length < total };
  });
}

/** Undefined when nothing can match. */
function matching(list: ListKind, query: ListQuery) {
  const conditions = [sql<boolean>`entries.list = ${list}`];
  if (query.status !== 'all' && list !== 'legit') {
    conditions.push(sql<boolean>`entries.verified = ${query.status === 'verified' ? 1 : 0}`);
  }
  if (query.proofs === 'with') conditions.push(sql<boolean>`entries.proofs != 'none'`);
  if (query.proofs === 'private') conditions.push(sql<boolean>`entries.proofs = 'private'`);
  if (query.id !== undefined) {
    conditions.push(sql<boolean>`entries.chat_id = ${query.id}`);
  } else if (query.search !== undefined) {
    const folded = foldText(query.search);
    if (folded === '') return undefined;
    conditions.push(
      sql<boolean>`(instr(entries.name_folded, ${folded}) > 0 OR instr(entries.chat_id_folded, ${folded}) > 0
        OR instr(contents.visible_text_folded, ${folded}) > 0)`,
    );
  }
  return sql<boolean>`${sql.join(conditions, sql` AND `)}`;
}

function reversed(order: typeof NEWEST): typeof NEWEST {
  return order.map(([column, direction]) => [column, direction === 'asc' ? 'desc' : 'asc'] as const);
}
