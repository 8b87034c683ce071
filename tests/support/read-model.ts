/**
 * The right answers of lists and check at a moment, worked out from the entries as they are now and as they were when the
 * sorted orders were last brought up to date; and the comparison of real ones with it.
 */
import { expect } from 'vitest';
import type { Database } from '#src/db/database.ts';
import { LIST_KINDS, type ListKind } from '#src/entries/entry.ts';
import { PROOFS_FILTERS, SORTS, STATUSES, type ListQuery } from '#src/entries/list-query.ts';
import { listPublicByChatId, parseEntry } from '#src/entries/public-entry.ts';
import { excerptOf } from '#src/text/excerpt.ts';
import type { ListReader } from '#src/lists/list-reader.ts';
import { OverloadedError } from '#src/queues/fair-queue.ts';
import { checkPlainly, holdsName, listPlainly, matches, readPublic, type PlainEntry } from './plain-lists.ts';
import type { ListResponse } from './responses.ts';

export type State = Readonly<Record<ListKind, readonly PlainEntry[]>>;

export function readState(db: Database): State {
  return db.read(
    () => Object.fromEntries(LIST_KINDS.map((list) => [list, readPublic(db, list)])) as unknown as State,
  );
}

export const ALL = {
  search: undefined,
  id: undefined,
  sort: 'newest',
  status: 'all',
  proofs: 'all',
  skip: 0,
  limit: 60,
} as const satisfies ListQuery;
const CHECK_MAX = 20;
const requester = { client: '10.0.0.1', signal: new AbortController().signal };

/** A form of an entry: as the API sends it, or as a row of a list page shows it. */
type Column = 'card' | 'json';

export function textOf(entry: PlainEntry, column: Column): string {
  const { _id, name, id, descHtml, verified, proofsId, reportId } = entry;
  if (column === 'json') return JSON.stringify({ _id, name, id, descHtml, verified, proofsId, reportId });
  const { list, proofs, reportedAt, verifiedAt, account, accountSince, updatedAt, appeal } = entry;
  const dates = { reportedAt, verifiedAt, account, accountSince, updatedAt };
  const facts = { list, proofs, ...dates, appeal, excerpt: excerptOf(descHtml) };
  return JSON.stringify({ _id, name, id, verified, proofsId, reportId, ...facts });
}

export async function ask(lists: ListReader, list: ListKind, query: ListQuery, column: Column) {
  if (column === 'card') {
    const { entries, total, hasMore } = await lists.listSummaries(list, query, requester);
    return { texts: entries.map((entry) => JSON.stringify(entry)), total, hasMore };
  }
  const json = await lists.listJson(list, query, requester);
  const { data, total, hasMore } = JSON.parse(json.toString()) as ListResponse;
  return { texts: data.map((entry) => JSON.stringify(entry)), total, hasMore };
}

type Filters = Pick<ListQuery, 'sort' | 'status' | 'proofs'> & Partial<ListQuery>;

const listed = new WeakMap<readonly PlainEntry[], Map<string, PlainEntry[]>>();

/** Everything that the oracle finds, on one page; the same questions are asked of the same entries many times. */
function listAll(
  entries: readonly PlainEntry[],
  list: ListKind,
  { sort, status, proofs, search, id }: Filters,
): readonly PlainEntry[] {
  const known = listed.getOrInsertComputed(entries, () => new Map<string, PlainEntry[]>());
  const query = { sort, status, proofs, search, id, skip: 0, limit: Number.POSITIVE_INFINITY };
  const find = () => listPlainly(entries, list, query).entries;
  return known.getOrInsertComputed(JSON.stringify([list, query]), find);
}

/** Leaves out removed entries; the others are as they are now. */
function stayed(then: readonly PlainEntry[], now: readonly PlainEntry[]): PlainEntry[] {
  const byRow = new Map(now.map((entry) => [entry.row, entry]));
  return then.flatMap(({ row }) => byRow.get(row) ?? []);
}

/** A page of an older order: what is gone or does not pass the filters any more is left out. */
function toLateAnswer(kept: State, now: State, list: ListKind, query: ListQuery, column: Column) {
  const { sort, status, proofs, skip, limit } = query;
  const filters = { sort, status, proofs };
  const then = listAll(kept[list], list, filters);
  const page = then.slice(skip, skip + limit);
  const passing = new Set(listAll(now[list], list, filters).map(({ row }) => row));
  const shown = stayed(page, now[list]).filter(({ row }) => passing.has(row));
  return {
    texts: shown.map((entry) => textOf(entry, column)),
    total: then.length,
    hasMore: skip + page.length < then.length,
  };
}

/** Lists of every kind. @param kept the state that the orders are of */
export async function compareLists(
  lists: ListReader,
  now: State,
  kept: State,
  skips: readonly number[],
): Promise<void> {
  let column: Column = 'json';
  for (const list of LIST_KINDS) {
    for (const sort of SORTS)
      for (const status of STATUSES)
        for (const proofs of PROOFS_FILTERS)
          for (const skip of skips) {
            const query = { ...ALL, sort, status, proofs, skip, limit: skip === 0 ? 60 : 7 };
            const told = JSON.stringify({ list, sort, status, proofs, skip, column });
            expect(await ask(lists, list, query, column), told).toEqual(
              toLateAnswer(kept, now, list, query, column),
            );
            column = column === 'json' ? 'card' : 'json';
          }
    expect(lists.count(list)).toBe(kept[list].length);
  }
}

/** By ID everything is as it is now, at every moment. */
export async function compareIds(db: Database, lists: ListReader, now: State, ids: Iterable<string>) {
  for (const id of ids) {
    const found = LIST_KINDS.flatMap((list) => now[list].filter((entry) => entry.id === id));
    const shown = listPublicByChatId(db, id);
    const texts = found.map((entry) => textOf(entry, 'json'));
    expect(
      shown.map(({ json }) => json),
      `ID ${id}`,
    ).toEqual(texts);
    const entries = found.map(({ row: _row, views: _views, ...entry }) => entry);
    expect(shown.map(parseEntry), `ID ${id}`).toEqual(
      entries.map((entry) => ({ ...entry, excerpt: excerptOf(entry.descHtml) })),
    );
    for (const list of LIST_KINDS) {
      const query = { ...ALL, id, status: 'verified', proofs: 'with' } as const;
      const cards = listAll(now[list], list, query).map((entry) => textOf(entry, 'card'));
      const expected = { texts: cards, total: cards.length, hasMore: false };
      expect(await ask(lists, list, query, 'card'), `ID ${id} in ${list}`).toEqual(expected);
    }
  }
}

/** @param kept the state that the names in order of views are of */
export function compareNicks(lists: ListReader, now: State, kept: State, searches: Iterable<string>): void {
  for (const search of searches) {
    const results = LIST_KINDS.map((kind) => {
      const named = checkPlainly(kept[kind], search).slice(0, CHECK_MAX + 1);
      const all = [
        ...now[kind].filter(({ id }) => id === search),
        ...stayed(named, now[kind]).filter((entry) => entry.id !== search && holdsName(entry, search)),
      ];
      const found = all.slice(0, CHECK_MAX).map((entry) => textOf(entry, 'json'));
      return { kind, found, hasMore: all.length > CHECK_MAX };
    }).filter(({ found }) => found.length > 0);
    const isReported = results.some(({ kind }) => kind !== 'legit');
    const answer = lists
      .checkNick(search)
      .map(({ found, ...facts }) => ({ ...facts, found: found.map(({ json }) => json) }));
    expect(answer, `nick ${JSON.stringify(search)}`).toEqual(
      results.filter(({ kind }) => !isReported || kind !== 'legit'),
    );
  }
}

/**
 * @param kept the state that the orders are of
 * @param texts the state that the full-text tables are of; undefined: there are none
 */
export async function compareSearches(
  lists: ListReader,
  now: State,
  kept: State,
  texts: State | undefined,
  queries: Iterable<{ readonly list: ListKind; readonly query: ListQuery & { readonly search: string } }>,
): Promise<void> {
  for (const { list, query } of queries) {
    const { search, skip, limit, sort, status, proofs } = query;
    const told = JSON.stringify({ list, ...query });
    if (!texts) {
      await expect(ask(lists, list, query, 'json'), told).rejects.toBeInstanceOf(OverloadedError);
      continue;
    }
    const filters = { sort, status, proofs };
    const held = new Set(
      Object.values(texts)
        .flat()
        .filter((entry) => matches(entry, search))
        .map(({ row }) => row),
    );
    const hits = listAll(kept[list], list, filters).filter(({ row }) => held.has(row));
    const page = hits.slice(skip, skip + limit);
    const everywhere = Object.values(now).flat();
    const found = stayed(page, everywhere).filter((entry) => matches(entry, search));
    const passing = new Set(listAll(now[list], list, filters).map(({ row }) => row));
    const total = hits.length - (page.length - found.length);
    expect(await ask(lists, list, query, 'json'), told).toEqual({
      texts: found.filter(({ row }) => passing.has(row)).map((entry) => textOf(entry, 'json')),
      total,
      hasMore: skip + found.length < total,
    });
  }
}
