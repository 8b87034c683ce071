/**
 * The read model as the web process uses it: pages of lists, entries by ID and the check, out of the serving file
 * (serving-file.ts) that the worker keeps (keep-serving.ts). API and pages read the same rows (serving-reader.ts). While
 * there is no file, IDs are read from the database and the rest by plain SQL (plain-sql.ts) in the search thread.
 */
import { setImmediate } from 'node:timers/promises';
import { readLogHead } from '../changes/log-head.ts';
import type { LogHead } from '../changes/log-head.ts';
import type { Database } from '../db/database.ts';
import { toCheckResults } from '../entries/check-entries.ts';
import { LIST_KINDS } from '../entries/entry.ts';
import type { Entry, EntrySummary, ListKind } from '../entries/entry.ts';
import type { ListQuery } from '../entries/list-query.ts';
import { IS_PUBLIC } from '../entries/read-entry.ts';
import { spellName } from '../text/look-alike.ts';
import type { Spelling } from '../text/look-alike.ts';
import { createNameCheck, readFromMain } from './check-names.ts';
import type { NickResults } from './check-names.ts';
import { findLookAlikes } from './look-alikes.ts';
import type { LookAlike } from './look-alikes.ts';
import { passes } from './orders.ts';
import { listOf, readEntry, readSummary } from './ready-entry.ts';
import type { Frame } from './ready-entry.ts';
import { split } from './search-engine.ts';
import type { Asker } from '../turns/gate.ts';
import type { SearchPool } from './search-pool.ts';
import { DamagedError } from './serving-file.ts';
import { ServingReader } from './serving-reader.ts';
import type { Column } from './serving-reader.ts';

/** A page of a list. */
export interface ListPage<Shown> {
  readonly entries: readonly Shown[];
  /** Entries that match the filters, whatever skip and limit say. */
  readonly total: number;
  readonly hasMore: boolean;
}

export interface Serving {
  /**
   * A page of a list (SPEC 4.1), each entry as a frame of this kind.
   * @returns a promise for searches, and while the file is not there
   * @throws {OverloadedError} when too many searches wait, or the worker has to make something first
   */
  list(
    list: ListKind,
    query: ListQuery,
    column: Column,
    asker: Asker,
  ): ListPage<Frame> | Promise<ListPage<Frame>>;
  /** Entries of a list as its page shows them. */
  listSummaries(list: ListKind, query: ListQuery, asker: Asker): Promise<ListPage<EntrySummary>>;
  /** The public entries with a chat ID, in the order of the lists. @param column `body` unless told */
  findById(chatId: string, column?: Column): readonly Frame[];
  /** The same whole. */
  findEntriesById(chatId: string): Entry[];
  /** The same of many IDs, as list pages show them. */
  findSummariesByIds(chatIds: readonly string[]): ReadonlyMap<string, readonly EntrySummary[]>;
  /**
   * Entries with another chat ID whose names look like a name; see look-alikes.ts. A trusted one that is also reported is
   * left out.
   * @param chatId of the one who has the name, if it is known
   * @returns undefined while there is no file: nobody knows
   */
  findLookAlikes(
    name: string,
    chatId: string | undefined,
  ): readonly LookAlike[] | undefined | Promise<readonly LookAlike[] | undefined>;
  /** When the change was made that answers by ID are right for, epoch milliseconds; undefined when there is none. */
  dataAt(): number | undefined;
  /** The check by nick (SPEC 4.2). @throws {OverloadedError} */
  checkNick(search: string, column: Column, asker: Asker): NickResults | Promise<NickResults>;
  /** Whole entries of a page of a list: the newest verified ones, for feeds. */
  listEntries(list: ListKind, query: ListQuery, asker: Asker): Promise<Entry[]>;
  /** How many public entries a list has. */
  count(list: ListKind): number;
  /** Grows whenever an answer may have become another one: with the change log, and when the file has followed it. */
  readonly revision: () => number;
  /** Differs with every new order of `popular`. */
  readonly popularity: () => string;
  /** Resolves when what can be held is held: for tests, and before a process takes requests. */
  refresh(): Promise<void>;
  close(): void;
}

/** @param onFailure told of a file that cannot be used */
export function createServing(
  main: Database,
  searches: SearchPool,
  onFailure: (error: unknown) => void,
): Serving {
  const reader = new ServingReader(main, onFailure);
  const names = createNameCheck(main, reader, onFailure);

  /** A damaged file is refused by then: the next try does without. */
  const again = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error;
      return work();
    }
  };

  const findById = (chatId: string, column: Column): readonly Frame[] =>
    again(() => {
      reader.look();
      return reader.isCurrent ? reader.readById(chatId, column) : readFromMain(main, chatId, column);
    });

  const lookAlikesNow = (asked: Spelling, chatId: string | undefined): LookAlike[] | 'more' | 'none' =>
    again(() => {
      const looked = reader.look();
      if (looked !== 'ready') return looked;
      return findLookAlikes(reader, asked, ({ id, list }) => {
        if (id === chatId) return true;
        return list === 'legit' && findById(id, 'summary').some(({ flags }) => listOf(flags) !== 'legit');
      });
    });

  const lookAlikesLater = async (
    asked: Spelling,
    chatId: string | undefined,
  ): Promise<LookAlike[] | undefined> => {
    for (;;) {
      await setImmediate();
      const found = lookAlikesNow(asked, chatId);
      if (found === 'none') return undefined;
      if (found !== 'more') return found;
    }
  };

  let known: (LogHead & { readonly at: number | undefined }) | undefined;

  const listById = (list: ListKind, query: ListQuery, id: string, column: Column): ListPage<Frame> => {
    const found = findById(id, column).filter(({ flags }) => passes(list, query, flags));
    return toPage(query.skip === 0 ? found : [], found.length, query);
  };

  const listNow = (list: ListKind, query: ListQuery, column: Column): ListPage<Frame> | 'more' | 'none' =>
    again(() => {
      const looked = reader.look();
      if (looked !== 'ready') return looked;
      const view = reader.view(list, query);
      const rows = view.slice(query.skip, query.limit);
      return toPage(reader.read(rows, column), view.total, query);
    });

  const listInThread = async (
    list: ListKind,
    query: ListQuery,
    column: Column,
    asker: Asker,
  ): Promise<ListPage<Frame>> => {
    const found = await searches.find({ kind: 'list', list, query, column }, asker);
    return toPage(split(found), found.total, query);
  };

  const listLater = async (
    list: ListKind,
    query: ListQuery,
    column: Column,
    asker: Asker,
  ): Promise<ListPage<Frame>> => {
    for (;;) {
      const page = listNow(list, query, column);
      if (page === 'none') return listInThread(list, query, column, asker);
      if (page !== 'more') return page;
      await setImmediate();
      asker.signal.throwIfAborted();
    }
  };

  const list: Serving['list'] = (kind, query, column, asker) => {
    if (query.id !== undefined) return listById(kind, query, query.id, column);
    if (query.search !== undefined) return listInThread(kind, query, column, asker);
    const page = listNow(kind, query, column);
    return typeof page === 'string' ? listLater(kind, query, column, asker) : page;
  };

  const checkInThread = async (search: string, column: Column, asker: Asker): Promise<NickResults> => {
    const frames = split(await searches.find({ kind: 'check', search, column }, asker));
    return toCheckResults(frames, ({ flags }) => listOf(flags));
  };

  return {
    list,
    async listSummaries(kind, query, asker) {
      const page = await list(kind, query, 'summary', asker);
      return { ...page, entries: page.entries.map(readSummary) };
    },
    findById: (chatId, column = 'body') => sortByList(findById(chatId, column)),
    findSummariesByIds(chatIds) {
      const found = again(() => {
        reader.look();
        return reader.isCurrent
          ? reader.readByIds(chatIds)
          : chatIds.flatMap((chatId) => readFromMain(main, chatId, 'summary'));
      });
      return Map.groupBy(sortByList(found).map(readSummary), ({ id }) => id);
    },
    findEntriesById: (chatId) => sortByList(findById(chatId, 'body')).map(readEntry),
    findLookAlikes(name, chatId) {
      const asked = spellName(name);
      const found = lookAlikesNow(asked, chatId);
      if (found === 'none') return undefined;
      return found === 'more' ? lookAlikesLater(asked, chatId) : found;
    },
    dataAt() {
      reader.look();
      const head = reader.head ?? readLogHead(main);
      if (known?.history !== head.history || known.seq !== head.seq)
        known = { ...head, at: main.statement<{ at: number }>(CHANGED_AT).get(head.seq)?.at };
      return known.at;
    },
    checkNick(search, column, asker) {
      const found = again(() => names.find(search, column));
      if (Array.isArray(found)) return found;
      return Promise.resolve(found).then((results) => results ?? checkInThread(search, column, asker));
    },
    async listEntries(kind, query, asker) {
      const { entries } = await list(kind, query, 'body', asker);
      return entries.map(readEntry);
    },
    count: (kind) =>
      again(() =>
        reader.look() === 'ready'
          ? reader.view(kind, { status: 'all', proofs: 'all', sort: 'newest' }).total
          : (main.statement<{ total: number }>(COUNT).get(kind)?.total ?? 0),
      ),
    revision: () => {
      try {
        reader.look();
      } catch {
        // A database that cannot be read has no newer state to show.
      }
      return reader.revision;
    },
    popularity: () => {
      reader.look();
      return reader.popularity;
    },
    refresh: () => names.refresh(),
    close() {
      names.close();
      reader.close();
    },
  };
}

const COUNT = `SELECT count(*) AS total FROM entries WHERE list = ? AND ${IS_PUBLIC}`;

function toPage(entries: readonly Frame[], total: number, { skip }: ListQuery): ListPage<Frame> {
  return { entries, total, hasMore: skip + entries.length < total };
}

function sortByList(frames: readonly Frame[]): readonly Frame[] {
  return frames.length < 2 ? frames : frames.toSorted((one, other) => placeOf(one) - placeOf(other));
}

function placeOf({ flags }: Frame): number {
  return LIST_KINDS.indexOf(listOf(flags));
}

const CHANGED_AT = 'SELECT at FROM changes WHERE seq = ?';
