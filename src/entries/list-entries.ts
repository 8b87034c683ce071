/** One page of a list (SPEC 4.1), read from the entries. List indexes carry it where they are up to date. */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { foldText } from '../text/fold-text.ts';
import type { Entry, ListKind } from './entry.ts';
import { filterSql, ORDERS } from './list-orders.ts';
import type { ListQuery } from './list-query.ts';
import { ENTRY_COLUMNS, selectEntryColumns, selectPublicEntries, toEntry } from './read-entry.ts';
import type { EntryRow } from './read-entry.ts';

export interface EntriesPage {
  readonly entries: Entry[];
  /** Entries that match the filters, whatever skip and limit say. */
  readonly total: number;
  readonly hasMore: boolean;
}

export function listEntries(db: Database, list: ListKind, query: ListQuery): EntriesPage {
  if (query.id !== undefined) return listById(db, list, query, query.id);
  if (query.search !== undefined) return searchEntries(db, list, query, foldText(query.search));
  return db.snapshot(() => {
    const total = countEntries(db, list, query);
    const entries = query.skip >= total ? [] : readPage(db, list, query).map(toEntry);
    return { entries, total, hasMore: query.skip + entries.length < total };
  });
}

/** Entries that the filters leave; kept by the database, so that nobody counts. */
export function countEntries(
  db: Database,
  list: ListKind,
  filters: Pick<ListQuery, 'status' | 'proofs'>,
): number {
  const source = `SELECT sum(entries) AS total FROM entry_counts WHERE list = ? ${filterSql(list, filters)}`;
  return db.statement<{ total: number | null }>(source).get(list)?.total ?? 0;
}

function readPage(db: Database, list: ListKind, query: ListQuery): EntryRow[] {
  const order = ORDERS[query.sort];
  const source = `SELECT ${ENTRY_COLUMNS} FROM entries JOIN contents USING (content) WHERE row IN (
      SELECT row FROM entries WHERE list = ? ${filterSql(list, query)} ORDER BY ${order} LIMIT ? OFFSET ?
    ) ORDER BY ${order}`;
  return db.statement<EntryRow>(source).all(list, query.limit, query.skip);
}

/** An ID is in a list at most once. */
function listById(db: Database, list: ListKind, query: ListQuery, id: string): EntriesPage {
  const source = `SELECT ${ENTRY_COLUMNS} FROM entries JOIN contents USING (content)
    WHERE chat_id = ? AND list = ? ${filterSql(list, query)}`;
  const row = db.statement<EntryRow>(source).get(id, list);
  const total = row ? 1 : 0;
  const entries = row && query.skip === 0 ? [toEntry(row)] : [];
  return { entries, total, hasMore: query.skip + entries.length < total };
}

/** @param text folded; one that folded to nothing finds nothing */
function searchEntries(db: Database, list: ListKind, query: ListQuery, text: string): EntriesPage {
  if (text === '') return { entries: [], total: 0, hasMore: false };
  const order = sql.raw<unknown>(ORDERS[query.sort]);
  const found = selectPublicEntries(db)
    .innerJoin('contents', 'contents.content', 'entries.content')
    .where(
      sql<boolean>`(list = ${list} ${sql.raw(filterSql(list, query))}
        AND (instr(name_folded, ${text}) > 0 OR instr(chat_id_folded, ${text}) > 0
          OR instr(visible_text_folded, ${text}) > 0))`,
    );
  const places = found.select('entries.row').orderBy(order).limit(query.limit).offset(query.skip);
  const page = selectEntryColumns(db).where('entries.row', 'in', places).orderBy(order);
  const count = found.select((select) => select.fn.countAll<number>().as('total'));
  return db.snapshot(() => {
    const entries = db.all(page).map(toEntry);
    const total = db.first(count)?.total ?? 0;
    return { entries, total, hasMore: query.skip + entries.length < total };
  });
}
