/** Orders in memory or the search thread choose rows; the database supplies their data at that moment. */
import type { Database } from '../db/database.ts';
import { toCheckResults, type CheckResult } from '../entries/check.ts';
import { LIST_KINDS, type PublicEntry, type PublicSummary, type ListKind } from '../entries/entry.ts';
import type { ListQuery } from '../entries/list-query.ts';
import { findReportsOfTrusted, type LookAlike } from '../entries/verdict.ts';
import {
  listPublicByChatId,
  listPublicByRowNumbers,
  flagFilter,
  parseSummary,
  parseSummaries,
  parseEntry,
  readPublicColumn,
  type FlagFilter,
  type PublicRow,
} from '../entries/public-entry.ts';
import { foldText } from '../text/fold-text.ts';
import { normalizeName } from '../text/look-alike.ts';
import { findLookAlikes } from './look-alike-hashes.ts';
import { ListIndexes } from './list-indexes.ts';
import { scanNames } from './scan-names.ts';
import type { Requester } from '../queues/fair-queue.ts';
import type { SearchPool } from '../search/search-pool.ts';
import type { FoundRows } from '../search/search-thread.ts';

export interface ListPage {
  readonly entries: readonly PublicSummary[];
  readonly total: number;
  readonly hasMore: boolean;
}

/** @returns a promise for searches @throws {OverloadedError} when the queue is full, or search.db is not built yet */
type ReadPage<Page> = (list: ListKind, query: ListQuery, requester: Requester) => Page | Promise<Page>;

export type ListReader = ReturnType<typeof createListReader>;

export function createListReader(db: Database, searches: SearchPool, indexes = new ListIndexes(db)) {
  const findRows: ReadPage<FoundRows> = (list, query, requester) => {
    const { search } = query;
    if (search !== undefined) return searches.find({ list, query: { ...query, search } }, requester);
    const view = indexes.view(list, query);
    return { rows: view.slice(query.skip, query.limit), total: view.total };
  };

  const list =
    <Page>(
      column: 'card' | 'json',
      wrapper: (total: number, hasMore: boolean) => readonly [string, string],
      make: (json: Buffer, total: number, hasMore: boolean) => Page,
    ): ReadPage<Page> =>
    (kind, query, requester) => {
      const { id, skip } = query;
      const filter = flagFilter(kind, query);
      if (id !== undefined) {
        const found = listPublicByChatId(db, id).filter((entry) => matches(entry, filter));
        const shown = skip === 0 ? found.map((entry) => entry[column]) : [];
        const [head, tail] = wrapper(found.length, false);
        return make(Buffer.from(head + shown.join() + tail), found.length, false);
      }
      const toPage = ({ rows, total }: FoundRows): Page => {
        const hasMore = skip + rows.length < total;
        const json = readPublicColumn(db, column, rows, filter, wrapper(total, hasMore));
        return make(json, total, hasMore);
      };
      const found = findRows(kind, query, requester);
      return found instanceof Promise ? found.then(toPage) : toPage(found);
    };

  const matches = ({ flags }: PublicRow, { mask, expected }: FlagFilter): boolean =>
    (flags & mask) === expected;

  return {
    listJson: list(
      'json',
      (total, hasMore) => ['{"data":[', `],"total":${total},"hasMore":${hasMore}}`],
      (json) => json,
    ),
    listSummaries: list<ListPage>(
      'card',
      () => ['[', ']'],
      (json, total, hasMore) => ({ entries: parseSummaries(json.toString()), total, hasMore }),
    ),
    /** A report stands for the trusted entry of its ID. @returns undefined until the worker has written the hashes */
    findLookAlikes(name: string, chatId: string | undefined): readonly LookAlike[] | undefined {
      if (indexes.hashesSeq === undefined) return undefined;
      const toShown = (entry: PublicSummary): PublicSummary | undefined =>
        entry.id === chatId ? undefined : (findReportsOfTrusted(db, [entry])(entry) ?? entry);
      return findLookAlikes(db, normalizeName(name), toShown);
    },
    checkNick(search: string): readonly CheckResult[] {
      const folded = foldText(search);
      if (folded === '') return [];
      const equal = listPublicByChatId(db, search);
      const rows = LIST_KINDS.flatMap((kind) => scanNames(indexes.names(kind), folded));
      const named = listPublicByRowNumbers(db, rows)
        .map((entry) => ({ entry, summary: parseSummary(entry.card) }))
        // The name may have changed since it was indexed.
        .filter(({ summary: { id, name } }) => id !== search && foldText(name).includes(folded))
        .map(({ entry }) => entry);
      return toCheckResults([...equal, ...named]);
    },
    async listFullEntries(kind: ListKind, query: ListQuery, requester: Requester): Promise<PublicEntry[]> {
      const { rows } = await findRows(kind, query, requester);
      const filter = flagFilter(kind, query);
      return listPublicByRowNumbers(db, rows)
        .filter((entry) => matches(entry, filter))
        .map(parseEntry);
    },
    count: (kind: ListKind): number =>
      indexes.view(kind, { status: 'all', proofs: 'all', sort: 'newest' }).total,
  };
}
