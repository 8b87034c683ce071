/**
 * Lists and check as the web process answers them. Orders in memory (list-indexes.ts) and the search thread say which rows
 * an answer consists of; what is shown of them is read from the database at that moment (src/entries/published.ts).
 */
import { build } from '../db/database.ts';
import type { Database } from '../db/database.ts';
import { toCheckResults } from '../entries/check-entries.ts';
import type { CheckResult } from '../entries/check-entries.ts';
import { LIST_KINDS } from '../entries/entry.ts';
import type { Entry, EntrySummary, ListKind } from '../entries/entry.ts';
import type { ListQuery } from '../entries/list-query.ts';
import {
  findByChatId,
  findByRows,
  findCardsByChatIds,
  flagFilter,
  listOf,
  parseCard,
  parseCards,
  parseEntry,
  readRows,
} from '../entries/published.ts';
import type { Published } from '../entries/published.ts';
import { foldText } from '../text/fold-text.ts';
import { spellName } from '../text/look-alike.ts';
import { findLookAlikes } from './look-alikes.ts';
import type { LookAlike } from './look-alikes.ts';
import { ListIndexes } from './list-indexes.ts';
import { frameList } from './list-response.ts';
import { findByName } from './nick-check.ts';
import type { Requester } from '../turns/fair-queue.ts';
import type { SearchPool } from '../search/search-pool.ts';
import type { FoundRows } from '../search/search-thread.ts';

/** A page of a list, as HTML pages show it. */
export interface ListPage {
  readonly entries: readonly EntrySummary[];
  /** Entries that match the filters, whatever skip and limit say. */
  readonly total: number;
  readonly hasMore: boolean;
}

/** @returns a promise for searches. @throws {OverloadedError} when too many searches wait, or search.db is not made */
type Ask<Page> = (list: ListKind, query: ListQuery, requester: Requester) => Page | Promise<Page>;

export interface Lists {
  /** A page of a list as the API sends it: a ListResponse (SPEC 4.1) as JSON in UTF-8. */
  readonly listJson: Ask<Buffer>;
  readonly listSummaries: Ask<ListPage>;
  /** The public entries with a chat ID, in the order of the lists. */
  findById(chatId: string): readonly Published[];
  /** The same whole. */
  findEntriesById(chatId: string): Entry[];
  /** The same of many IDs, as list pages show them. */
  findSummariesByIds(chatIds: readonly string[]): ReadonlyMap<string, readonly EntrySummary[]>;
  /**
   * Entries with another chat ID whose names look like a name; see look-alikes.ts. A trusted one that is also reported is
   * left out.
   * @param chatId of the one who has the name, if it is known
   * @returns undefined until the worker has made what they are found by
   */
  findLookAlikes(name: string, chatId: string | undefined): readonly LookAlike[] | undefined;
  /** When the change was made that answers by ID are right for, epoch milliseconds; undefined when there is none. */
  dataAt(): number | undefined;
  /**
   * The check by nick (SPEC 4.2): equal ID first, then equal name, then names that begin with the search, then the rest by
   * views. Lists in which nothing is found are left out, the trusted one also beside a reported entry.
   */
  checkNick(search: string): readonly CheckResult<Published>[];
  /** Whole entries of a page of a list, for feeds. */
  listEntries(list: ListKind, query: ListQuery, requester: Requester): Promise<Entry[]>;
  /** How many public entries a list has. */
  count(list: ListKind): number;
  /** Grows whenever an answer may have become another one. */
  readonly revision: () => number;
  /** Differs with every new order of `popular`. */
  readonly popularity: () => string;
}

export function createLists(db: Database, searches: SearchPool): Lists {
  const indexes = new ListIndexes(db);

  const findRows = (
    list: ListKind,
    query: ListQuery,
    requester: Requester,
  ): FoundRows | Promise<FoundRows> => {
    const { search } = query;
    if (search !== undefined) return searches.find({ list, query: { ...query, search } }, requester);
    const view = indexes.refresh().view(list, query);
    return { rows: view.slice(query.skip, query.limit), total: view.total };
  };

  /** A list has at most one entry with an ID. */
  const listById = (list: ListKind, query: ListQuery, id: string): readonly Published[] => {
    const { mask, marks } = flagFilter(list, query);
    return findByChatId(db, id).filter(({ flags }) => (flags & mask) === marks);
  };

  /** @param make a page of the JSON that stands in the frame */
  const list =
    <Page>(
      column: 'card' | 'json',
      frame: (total: number, hasMore: boolean) => readonly [string, string],
      make: (json: Buffer, total: number, hasMore: boolean) => Page,
    ): Ask<Page> =>
    (kind, query, requester) => {
      const { id, skip } = query;
      if (id !== undefined) {
        const found = listById(kind, query, id);
        const shown = skip === 0 ? found.map((entry) => entry[column]) : [];
        const hasMore = skip + shown.length < found.length;
        const [head, tail] = frame(found.length, hasMore);
        return make(Buffer.from(head + shown.join() + tail), found.length, hasMore);
      }
      const toPage = ({ rows, total }: FoundRows): Page => {
        const hasMore = skip + rows.length < total;
        const json = readRows(db, column, rows, flagFilter(kind, query), frame(total, hasMore));
        return make(json, total, hasMore);
      };
      const found = findRows(kind, query, requester);
      return found instanceof Promise ? found.then(toPage) : toPage(found);
    };

  let known: { readonly place: string; readonly at: number | undefined } | undefined;

  return {
    listJson: list('json', frameList, (json) => json),
    listSummaries: list(
      'card',
      () => ['[', ']'],
      (json, total, hasMore) => ({ entries: parseCards(json.toString()), total, hasMore }),
    ),
    findById: (chatId) => findByChatId(db, chatId),
    findEntriesById: (chatId) => findByChatId(db, chatId).map(parseEntry),
    findSummariesByIds(chatIds) {
      const found = findCardsByChatIds(db, chatIds);
      const place = ({ list: kind }: EntrySummary): number => LIST_KINDS.indexOf(kind);
      return Map.groupBy(
        found.sort((one, other) => place(one) - place(other)),
        ({ id }) => id,
      );
    },
    findLookAlikes: (name, chatId) => {
      if (!indexes.hasLookAlikeHashes) return undefined;
      return findLookAlikes(db, spellName(name), ({ id, list: kind }) => {
        if (id === chatId) return true;
        return kind === 'legit' && findByChatId(db, id).some(({ flags }) => listOf(flags) !== 'legit');
      });
    },
    dataAt() {
      const { history, seq } = indexes.head;
      const place = `${history} ${seq}`;
      if (known?.place !== place)
        known = {
          place,
          at: db.first(build.selectFrom('changes').select('at').where('seq', '=', seq))?.at,
        };
      return known.at;
    },
    checkNick(search) {
      const folded = foldText(search);
      if (folded === '') return [];
      const orders = indexes.refresh();
      const equal = findByChatId(db, search);
      const rows = LIST_KINDS.flatMap((kind) => findByName(orders.pieces(kind, 'popular'), folded));
      const named = findByRows(db, rows)
        .map((entry) => ({ entry, summary: parseCard(entry.card) }))
        // A name that has changed a moment ago.
        .filter(({ summary: { id, name } }) => id !== search && foldText(name).includes(folded))
        .map(({ entry }) => entry);
      return toCheckResults([...equal, ...named], ({ flags }) => listOf(flags));
    },
    async listEntries(kind, query, requester) {
      const { rows } = await findRows(kind, query, requester);
      const { mask, marks } = flagFilter(kind, query);
      return findByRows(db, rows)
        .filter(({ flags }) => (flags & mask) === marks)
        .map(parseEntry);
    },
    count: (kind) => indexes.refresh().view(kind, { status: 'all', proofs: 'all', sort: 'newest' }).total,
    revision: () => {
      try {
        indexes.refresh();
      } catch {
        // A database that cannot be read has no newer state to show.
      }
      return indexes.revision;
    },
    popularity: () => {
      indexes.refresh();
      return indexes.popularity;
    },
  };
}
