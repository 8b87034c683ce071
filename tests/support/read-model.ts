/**
 * What the read model has to answer at a moment, worked out from the entries as they are now and as they were when the
 * serving file was last brought up to date; and the comparison of a real one with it.
 */
import { expect } from 'vitest';
import type { Database } from '#src/db/database.ts';
import { LIST_KINDS, toListEntry } from '#src/entries/entry.ts';
import type { ListKind } from '#src/entries/entry.ts';
import { PROOFS_FILTERS, SORTS, STATUSES } from '#src/entries/list-query.ts';
import type { ListQuery } from '#src/entries/list-query.ts';
import { toSummary } from '#src/entries/to-summary.ts';
import { readSummary } from '#src/serving/ready-entry.ts';
import type { Frame } from '#src/serving/ready-entry.ts';
import type { Serving } from '#src/serving/serving.ts';
import type { Column } from '#src/serving/serving-reader.ts';
import { checkPlainly, listPlainly, matches, readPublic } from './plain-lists.ts';
import type { PlainEntry } from './plain-lists.ts';

export type State = Readonly<Record<ListKind, readonly PlainEntry[]>>;

export function readState(db: Database): State {
  return db.snapshot(
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
const asker = { client: '10.0.0.1', signal: new AbortController().signal };

/** An entry, or a page of them, as text that can be compared. */
export function textOf(entry: PlainEntry, column: Column): string {
  return JSON.stringify(column === 'body' ? toListEntry(entry) : toSummary(entry));
}

function frameText(frame: Frame, column: Column): string {
  return column === 'body' ? frame.text.toString() : JSON.stringify(reorder(readSummary(frame)));
}

/** In the order of the keys that toSummary has. */
function reorder(summary: ReturnType<typeof readSummary>): ReturnType<typeof readSummary> {
  const { _id, name, id, verified, proofsId, reportId, list, proofs, reportedAt, updatedAt, excerpt } =
    summary;
  return { _id, name, id, verified, proofsId, reportId, list, proofs, reportedAt, updatedAt, excerpt };
}

export interface Answer {
  readonly texts: readonly string[];
  readonly total: number;
  readonly hasMore: boolean;
}

export async function ask(
  serving: Serving,
  list: ListKind,
  query: ListQuery,
  column: Column,
): Promise<Answer> {
  const { entries, total, hasMore } = await serving.list(list, query, column, asker);
  return { texts: entries.map((frame) => frameText(frame, column)), total, hasMore };
}

type Filters = Pick<ListQuery, 'sort' | 'status' | 'proofs'> & Partial<ListQuery>;

const listed = new WeakMap<readonly PlainEntry[], Map<string, PlainEntry[]>>();

/** Everything that the oracle finds, on one page; the same questions are asked of the same entries many times. */
export function listAll(
  entries: readonly PlainEntry[],
  list: ListKind,
  { sort, status, proofs, search, id }: Filters,
): readonly PlainEntry[] {
  const known = listed.get(entries) ?? new Map<string, PlainEntry[]>();
  listed.set(entries, known);
  const query = { sort, status, proofs, search, id, skip: 0, limit: Number.POSITIVE_INFINITY };
  const key = JSON.stringify([list, query]);
  const found = known.get(key) ?? listPlainly(entries, list, query).entries;
  known.set(key, found);
  return found;
}

/** Of entries in their order. */
export function toAnswer(
  all: readonly PlainEntry[],
  { skip, limit }: Pick<ListQuery, 'skip' | 'limit'>,
  column: Column,
): Answer {
  const page = all.slice(skip, skip + limit);
  return {
    texts: page.map((entry) => textOf(entry, column)),
    total: all.length,
    hasMore: skip + page.length < all.length,
  };
}

/** Entries that stand where they stood in the old order, as they are now. */
function stayed(kept: readonly PlainEntry[], now: readonly PlainEntry[]): PlainEntry[] {
  const byId = new Map(now.map((entry) => [entry._id, entry]));
  return kept.flatMap((before) => {
    const after = byId.get(before._id);
    return after?.row === before.row ? after : [];
  });
}

/** The order of the file, less what is gone or that the filters do not leave any more. */
function listBehind(kept: State, now: State, list: ListKind, query: ListQuery): PlainEntry[] {
  const { sort, status, proofs } = query;
  const filters = { sort, status, proofs };
  const then = listAll(kept[list], list, filters);
  const passing = new Set(listAll(now[list], list, filters).map(({ _id }) => _id));
  return stayed(then, now[list]).filter(({ _id }) => passing.has(_id));
}

/** Lists of every kind. @param kept undefined: everything is to be as it is now */
export async function compareLists(
  serving: Serving,
  now: State,
  kept: State | undefined,
  skips: readonly number[],
): Promise<void> {
  let column: Column = 'body';
  for (const list of LIST_KINDS) {
    for (const sort of SORTS) {
      for (const status of STATUSES) {
        for (const proofs of PROOFS_FILTERS) {
          const filters = { ...ALL, sort, status, proofs };
          const all = kept ? listBehind(kept, now, list, filters) : listAll(now[list], list, filters);
          for (const skip of skips) {
            const query = { ...filters, skip, limit: skip === 0 ? 60 : 7 };
            const told = JSON.stringify({ list, sort, status, proofs, skip, column });
            expect(await ask(serving, list, query, column), told).toEqual(toAnswer(all, query, column));
            column = column === 'body' ? 'summary' : 'body';
          }
        }
      }
    }
    expect(serving.count(list)).toBe(
      (kept ? listBehind(kept, now, list, ALL) : listAll(now[list], list, ALL)).length,
    );
  }
}

/** By ID everything is as it is now, at every moment. */
export async function compareIds(serving: Serving, now: State, ids: Iterable<string>): Promise<void> {
  for (const id of ids) {
    const found = LIST_KINDS.flatMap((list) => now[list].filter((entry) => entry.id === id));
    expect(
      serving.findById(id).map((frame) => frameText(frame, 'body')),
      `ID ${id}`,
    ).toEqual(found.map((entry) => textOf(entry, 'body')));
    expect(serving.findEntriesById(id), `ID ${id}`).toEqual(
      found.map(({ row: _row, views: _views, ...entry }) => entry),
    );
    for (const list of LIST_KINDS) {
      const query = { ...ALL, id, status: 'verified', proofs: 'with' } as const;
      const entries = listAll(now[list], list, query);
      expect(await ask(serving, list, query, 'summary'), `ID ${id} in ${list}`).toEqual(
        toAnswer(entries, query, 'summary'),
      );
    }
  }
}

export async function compareNicks(serving: Serving, now: State, searches: Iterable<string>): Promise<void> {
  for (const search of searches) {
    const results = LIST_KINDS.map((kind) => {
      const all = checkPlainly(now[kind], search);
      const found = all.slice(0, CHECK_MAX).map((entry) => textOf(entry, 'body'));
      return { kind, found, hasMore: all.length > CHECK_MAX };
    }).filter(({ found }) => found.length > 0);
    const isReported = results.some(({ kind }) => kind !== 'legit');
    const answered = await serving.checkNick(search, 'body', asker);
    expect(
      answered.map(({ kind, found, hasMore }) => ({
        kind,
        found: found.map((frame) => frameText(frame, 'body')),
        hasMore,
      })),
      `nick ${JSON.stringify(search)}`,
    ).toEqual(results.filter(({ kind }) => !isReported || kind !== 'legit'));
  }
}

/**
 * @param kept the state that the orders are of; undefined: everything is to be as it is now
 * @param texts the state that the full-text tables are of
 */
export async function compareSearches(
  serving: Serving,
  now: State,
  kept: State | undefined,
  texts: State | undefined,
  queries: Iterable<{ readonly list: ListKind; readonly query: ListQuery & { readonly search: string } }>,
): Promise<void> {
  for (const { list, query } of queries) {
    const { search, skip, limit } = query;
    const told = JSON.stringify({ list, ...query });
    const answer = await ask(serving, list, query, 'body');
    if (!kept || !texts) {
      expect(answer, told).toEqual(toAnswer(listAll(now[list], list, query), query, 'body'));
      continue;
    }
    const held = new Set(
      Object.values(texts)
        .flat()
        .filter((entry) => matches(entry, search))
        .map(({ row }) => row),
    );
    const hits = listBehind(kept, now, list, query).filter(({ row }) => held.has(row));
    const page = hits.slice(skip, skip + limit).filter((entry) => matches(entry, search));
    expect(answer.texts, told).toEqual(page.map((entry) => textOf(entry, 'body')));
    expect(answer.total, told).toBe(hits.length - (hits.slice(skip, skip + limit).length - page.length));
  }
}

/** Nothing that is removed, nothing twice, and everything holds the text now. */
export function assertSound(
  { texts }: Pick<Answer, 'texts'>,
  entries: readonly PlainEntry[],
  search: string | undefined,
  told: string,
): void {
  const right = new Set(
    entries
      .filter((entry) => search === undefined || matches(entry, search))
      .map((entry) => textOf(entry, 'body')),
  );
  expect(
    texts.filter((text) => !right.has(text)),
    told,
  ).toEqual([]);
  expect(new Set(texts).size, told).toBe(texts.length);
}
