/** One page of a list (SPEC 4.1). */
import { sql } from 'kysely';
import type { SelectQueryBuilder } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
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
  const text = searched(query);
  if (text === '') return { entries: [], total: 0, hasMore: false };
  // Texts are joined only where they are looked into.
  const candidates = selectPublicEntries(db).$if(text !== undefined, (select) =>
    select.innerJoin('contents', 'contents.content', 'entries.content'),
  );
  const places = inOrder(
    candidates.select('entries.row').where(matching(list, query, text, WALKED)),
    query.sort,
  )
    .limit(query.limit)
    .offset(query.skip);
  const page = inOrder(selectEntryColumns(db).where('entries.row', 'in', places), query.sort);
  const count = candidates
    .select((select) => select.fn.countAll<number>().as('total'))
    .where(matching(list, query, text, LOOKED_UP));
  return db.snapshot(() => {
    const entries = db.all(page).map(toEntry);
    const total = db.first(count)?.total ?? 0;
    return { entries, total, hasMore: query.skip + entries.length < total };
  });
}

/** The folded search; empty when it can find nothing, undefined when there is none. */
function searched({ id, search }: ListQuery): string | undefined {
  return id !== undefined || search === undefined ? undefined : foldText(search);
}

function inOrder<Output>(
  select: SelectQueryBuilder<Tables, 'entries', Output>,
  sort: Sort,
): SelectQueryBuilder<Tables, 'entries', Output> {
  return ORDERS[sort].reduce(
    (ordered, [column, direction]) => ordered.orderBy(`entries.${column}`, direction),
    select,
  );
}

/** A total is read from the index of the filters. */
const LOOKED_UP = { verified: sql.ref('entries.verified'), proofs: sql.ref('entries.proofs') };
/** A page is walked in its order: SQLite takes no index for a column with a plus sign, and so need not sort. */
const WALKED = { verified: sql`+entries.verified`, proofs: sql`+entries.proofs` };

function matching(
  list: ListKind,
  query: ListQuery,
  text: string | undefined,
  { verified, proofs }: typeof LOOKED_UP | typeof WALKED,
) {
  const conditions = [sql<boolean>`entries.list = ${list}`];
  if (query.status !== 'all' && list !== 'legit') {
    conditions.push(sql<boolean>`${verified} = ${query.status === 'verified' ? 1 : 0}`);
  }
  if (query.proofs === 'with') conditions.push(sql<boolean>`${proofs} != 'none'`);
  if (query.proofs === 'private') conditions.push(sql<boolean>`${proofs} = 'private'`);
  if (query.id !== undefined) {
    conditions.push(sql<boolean>`entries.chat_id = ${query.id}`);
  } else if (text !== undefined) {
    conditions.push(
      sql<boolean>`(instr(entries.name_folded, ${text}) > 0 OR instr(entries.chat_id_folded, ${text}) > 0
        OR instr(contents.visible_text_folded, ${text}) > 0)`,
    );
  }
  return sql<boolean>`${sql.join(conditions, sql` AND `)}`;
}

function reversed(order: typeof NEWEST): typeof NEWEST {
  return order.map(([column, direction]) => [column, direction === 'asc' ? 'desc' : 'asc'] as const);
}
