/**
 * The check by nickname (SPEC 4.2): the name index in the memory of the web process, made from the serving file in a
 * thread, and what has changed since. While there is none, the search thread looks at every name: slower, and the same
 * answer.
 */
import { once } from 'node:events';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Database } from '../db/database.ts';
import { CHECK_RESULTS_MAX, toCheckResults } from '../entries/check-entries.ts';
import type { CheckResult } from '../entries/check-entries.ts';
import { LIST_KINDS } from '../entries/entry.ts';
import { findStoredByRow, listStoredById } from '../entries/read-entry.ts';
import { foldText } from '../text/fold-text.ts';
import { ChangedNames } from './changed-names.ts';
import { createNameIndex } from './name-index.ts';
import type { FoundName, NameIndex } from './name-index.ts';
import type { NamesOutcome } from './names-thread.ts';
import { listOf, makeReady, readFrames } from './ready-entry.ts';
import type { Frame } from './ready-entry.ts';
import { isDamage, markDamaged } from './serving-file.ts';
import type { Column, ServingReader } from './serving-reader.ts';
import { comparePopular } from './write-orders.ts';
import type { Placed } from './write-orders.ts';

export type NickResults = CheckResult<Frame>[];

export interface NameCheck {
  /**
   * Equal ID first, then equal name, then names that begin with the search, then the rest by views. Lists in which nothing
   * is found are left out, the trusted one also beside a reported entry.
   * @returns undefined while there is no index: the names have to be looked through
   */
  find(search: string, column: Column): NickResults | undefined | Promise<NickResults | undefined>;
  /** Resolves when the index is made, or cannot be. */
  refresh(): Promise<void>;
  close(): void;
}

interface Held {
  readonly index: NameIndex;
  readonly changed: ChangedNames;
}

/** How often it is looked whether the index is worth making anew. */
const LOOK_MS = 1_000;
/** How long a question waits for the index at the start of the process. */
const LOADING_MS = 2_000;
/** Changes that are looked through beside the index; with more, it is made anew. */
const CHANGES_MAX = 2_000;
const THREAD = new URL('names-thread.ts', import.meta.url);

/** @param onFailure told when the index cannot be made */
export function createNameCheck(
  main: Database,
  reader: ServingReader,
  onFailure: (error: unknown) => void,
): NameCheck {
  let held: Held | undefined;
  let refreshing: Promise<void> | undefined;
  let isClosed = false;

  const isGood = (): boolean => {
    if (!held) return false;
    const { head, count } = held.changed;
    return count <= CHANGES_MAX && head.history === reader.head?.history;
  };

  const load = async (): Promise<void> => {
    let path: string | undefined;
    try {
      if (reader.look() === 'none' || isGood()) return;
      path = reader.path;
      const thread = new Worker(THREAD, { workerData: { path } });
      thread.unref();
      const [{ table, head }] = (await once(thread, 'message')) as [NamesOutcome];
      if (!isClosed) held = { index: createNameIndex(table), changed: new ChangedNames(head) };
    } catch (error) {
      if (path !== undefined && isDamage(error)) markDamaged(path);
      onFailure(error);
    }
  };
  const refresh = (): Promise<void> => (refreshing ??= load().finally(() => (refreshing = undefined)));
  const first = refresh();
  const timer = setInterval(() => void refresh(), LOOK_MS).unref();

  /** `more`: ask again; undefined: there is no index. */
  const findNow = (search: string, folded: string, column: Column): NickResults | 'more' | undefined => {
    const looked = reader.look();
    if (!held || !reader.head || looked === 'none') return undefined;
    const state = held.changed.catchUp(main, reader.head);
    if (state === 'useless') held = undefined;
    if (state === 'more' || looked === 'more') return 'more';
    return held && collect(main, reader, held, { search, folded, column });
  };

  const findLater = async (
    search: string,
    folded: string,
    column: Column,
  ): Promise<NickResults | undefined> => {
    if (!held) await Promise.race([first, setTimeout(LOADING_MS, undefined, { ref: false })]);
    for (;;) {
      const found = findNow(search, folded, column);
      if (found !== 'more') return found;
      await setImmediate();
    }
  };

  return {
    find(search, column) {
      const folded = foldText(search);
      if (folded === '') return [];
      const found = findNow(search, folded, column);
      return Array.isArray(found) ? found : findLater(search, folded, column);
    },
    refresh,
    close() {
      isClosed = true;
      clearInterval(timer);
    },
  };
}

interface NameQuestion {
  readonly search: string;
  readonly folded: string;
  readonly column: Column;
}

function collect(
  main: Database,
  reader: ServingReader,
  { index, changed }: Held,
  { search, folded, column }: NameQuestion,
): NickResults {
  const equalIds = reader.isCurrent ? reader.readById(search, column) : readFromMain(main, search, column);
  const among = changed.find(folded);
  for (;;) {
    const found = index.find(folded, CHECK_RESULTS_MAX + 1, reader.ranks(), (row) => changed.isStale(row));
    const rows = found.flat().map(({ row }) => row);
    const frames = new Map(reader.read(rows, column).map((frame) => [frame.row, frame]));
    // A file that took the place of a newer one does not know all that the index knows.
    for (const row of rows.filter((one) => !frames.has(one)))
      for (const frame of readRowFromMain(main, row, column)) frames.set(row, frame);
    const gone = rows.filter((row) => !frames.has(row));
    // The log tells of a removed entry only by an ID that the index does not hold.
    for (const row of gone) changed.markRemoved(row);
    if (gone.length > 0) continue;
    const matches = LIST_KINDS.flatMap((kind, list) => {
      const byId = equalIds.filter(({ flags }) => listOf(flags) === kind);
      const byName = merge(main, reader, found[list] ?? [], among[list] ?? [])
        .filter(({ row }) => byId.every((frame) => frame.row !== row))
        .flatMap(({ row }) => frames.get(row) ?? readRowFromMain(main, row, column));
      return [...byId, ...byName];
    });
    return toCheckResults(matches, ({ flags }) => listOf(flags));
  }
}

/** @param ordered names of the index, in their order. @param others names that changed, in none */
function merge(
  main: Database,
  reader: ServingReader,
  ordered: readonly FoundName[],
  others: readonly FoundName[],
): readonly FoundName[] {
  if (others.length === 0) return ordered;
  const places = new Map<number, Place | undefined>();
  for (const { row } of ordered)
    places.set(
      row,
      reader.try((file) => file.statement<Place>(PLACED).get(row)) ?? main.statement<Place>(STORED).get(row),
    );
  for (const { row } of others) places.set(row, main.statement<Place>(STORED).get(row));
  return [...ordered, ...others]
    .filter(({ row }) => places.get(row) !== undefined)
    .sort(
      (one, other) =>
        one.match - other.match ||
        comparePopular(places.get(one.row) as Place, places.get(other.row) as Place),
    )
    .slice(0, CHECK_RESULTS_MAX + 1);
}

type Place = Pick<Placed, 'views' | 'reported_at' | 'entry_id'>;
const PLACED = 'SELECT views, reported_at, entry_id FROM placed WHERE row = ?';
const STORED = 'SELECT views, reported_at, entry_id FROM entries WHERE row = ?';

/** The entries with a chat ID, from the database. */
export function readFromMain(main: Database, chatId: string, column: Column): Frame[] {
  return listStoredById(main, chatId).flatMap(({ row, entry }) => readFrames(makeReady(row, entry)[column]));
}

function readRowFromMain(main: Database, row: number, column: Column): Frame[] {
  const stored = findStoredByRow(main, row);
  return stored ? readFrames(makeReady(row, stored.entry)[column]) : [];
}
