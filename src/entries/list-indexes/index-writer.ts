/**
 * Keeps the list indexes, in the worker: makes them from the entries, and follows the change log where a change touches
 * them. Everything is prepared in memory and at the end of a file, and counts with one transaction: a worker that is
 * killed at any moment leaves the indexes as they were. What a reader finds is always right for the change that the
 * directory names; while that is behind the log, readers read the entries.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { openDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { LIST_KINDS } from '../entry.ts';
import type { ListKind } from '../entry.ts';
import { countEntries } from '../list-entries.ts';
import { filterSql, ORDERS } from '../list-orders.ts';
import { decodeExtents, decodeTables, encodeExtents, encodeTables, extentBytes } from './chunk.ts';
import type { Extent } from './chunk.ts';
import {
  applyEntry,
  cutDrafts,
  heldPlaces,
  removeEntry,
  resequence,
  slotExtents,
  trimPlaces,
} from './held-index.ts';
import type { Chunk, HeldIndex, Slot } from './held-index.ts';
import { createIndexFile, openIndexFile, removeOtherFiles } from './index-files.ts';
import type { IndexFile } from './index-files.ts';
import { INDEX_KEYS, PLACE_LIMITS } from './index-key.ts';
import type { IndexKey, PlaceLimits } from './index-key.ts';
import {
  createItemReader,
  createKeyReader,
  findFresh,
  ORDER_PAIRS,
  placesName,
  walkOrder,
} from './ordered-entries.ts';
import type { Places } from './ordered-entries.ts';

/** Of the worker's lease, or of a test. */
export type Write = <T>(change: () => T) => T;

export interface RefreshReport {
  /** Indexes that were written. */
  readonly indexes: number;
  /** Appended to files. */
  readonly bytes: number;
}

export interface ListIndexWriter {
  /** Brings the indexes to the newest change. One run at a time: a second call waits for the first. */
  refresh(write: Write, signal: AbortSignal): Promise<RefreshReport>;
  /** Erases what removed entries left in files, drops and rewrites files that hold little else than old chunks. */
  tidy(write: Write, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** More changes of a list are not followed one by one. */
const CHANGES_MAX = 300;
/** Old chunks that are tolerated beside as many bytes as live ones take. */
const GARBAGE_MAX_BYTES = 64 * 1024 * 1024;
const FILES_MAX = 6;
/** A reader that looked at the directory before a refresh has finished its page after this time. */
const ERASE_AFTER_MS = 2_000;

interface ListState {
  readonly list: ListKind;
  readonly history: string;
  readonly seq: number;
  readonly popularity: string;
  readonly version: number;
  readonly erased_seq: number;
}

interface Moment {
  readonly history: string;
  readonly seq: number;
  readonly popularity: string;
}

/** The indexes of a list in memory; right for this version of its row in list_index_states. */
interface LoadedList {
  version: number;
  readonly indexes: Map<string, HeldIndex>;
}

/** Somebody else has written the indexes meanwhile: a worker that has taken over, or an operator. */
class IndexesChangedError extends Error {
  override name = 'IndexesChangedError';
}

export function createListIndexWriter(
  db: Database,
  folder: string,
  limits: PlaceLimits = PLACE_LIMITS,
): ListIndexWriter {
  const loaded = new Map<ListKind, LoadedList>();
  const files = new Map<number, IndexFile>();
  /** Gaps between chunks that hold nothing any more, by file. */
  const erased = new Map<string, Set<string>>();
  let own: { number: number; file: IndexFile } | undefined;
  let committedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<unknown> = Promise.resolve();
  let appendedBytes = 0;

  const forget = (): void => {
    loaded.clear();
    for (const file of files.values()) file.close();
    files.clear();
    own = undefined;
  };

  /** In turn; after a failure nothing in memory is trusted. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const run = running.then(work).catch((error: unknown) => {
      forget();
      throw error;
    });
    running = run.catch(() => {});
    return run;
  };

  const fileOf = (number: number): IndexFile => {
    let file = files.get(number);
    if (!file) {
      const row = db
        .statement<{ name: string }>('SELECT name FROM list_index_files WHERE file = ?')
        .get(number);
      if (!row) throw new Error(`file ${number} of the list indexes is not known`);
      files.set(number, (file = openIndexFile(folder, row.name)));
    }
    return file;
  };

  /** The file that this process appends to. */
  const ownFile = (write: Write): { number: number; file: IndexFile } => {
    if (own) return own;
    const file = createIndexFile(folder);
    const { number } = write(() =>
      db
        .statement<{ number: number }>(
          'INSERT INTO list_index_files (name) VALUES (?) RETURNING file AS number',
        )
        .get(file.name),
    ) as { number: number };
    files.set(number, file);
    return (own = { number, file });
  };

  const readChunkJson = ({ file, offset, jsonBytes }: Extent): Buffer => fileOf(file).read(offset, jsonBytes);

  const loadChunk = (extent: Extent): Chunk => {
    const { file, offset, jsonBytes, entries } = extent;
    const tables = fileOf(file).read(offset + jsonBytes, extentBytes({ jsonBytes: 0, entries }));
    return { extent, tables: decodeTables(tables, extent) };
  };

  /** @throws when a chunk is not what was written */
  const loadList = (state: ListState): LoadedList => {
    const known = loaded.get(state.list);
    if (known?.version === state.version) return known;
    const rows = db
      .statement<{ key: string; total: number; chunks: Buffer }>(
        'SELECT key, total, chunks FROM list_indexes WHERE list = ?',
      )
      .all(state.list);
    const keys = new Map(keysOf(state.list).map((key) => [key.name, key]));
    const indexes = new Map<string, HeldIndex>();
    for (const row of rows) {
      const key = keys.get(row.key);
      if (key)
        indexes.set(row.key, { key, total: row.total, slots: decodeExtents(row.chunks).map(loadChunk) });
    }
    if (indexes.size !== keys.size) throw new Error(`indexes of ${state.list} are missing`);
    const list = { version: state.version, indexes };
    loaded.set(state.list, list);
    return list;
  };

  const writeDrafts = (index: HeldIndex, write: Write): void => {
    index.slots = index.slots.flatMap((slot): Slot[] => {
      if ('extent' in slot) return [slot];
      return cutDrafts(slot.items).map(({ json, tables, entries }) => {
        const { number, file } = ownFile(write);
        const parts = [...json, ...encodeTables(tables)];
        const jsonBytes = json.reduce((sum, part) => sum + part.length, 0);
        const offset = file.append(parts);
        appendedBytes += jsonBytes + extentBytes({ jsonBytes: 0, entries });
        return { extent: { file: number, offset, jsonBytes, entries }, tables };
      });
    });
  };

  /** One transaction: from here on, readers find the new chunks. */
  const commit = (
    write: Write,
    state: Omit<ListState, 'version' | 'erased_seq'>,
    before: ListState | undefined,
    changed: readonly HeldIndex[],
    others: readonly ListKind[],
  ): number => {
    own?.file.sync();
    const version = write(() => {
      const present = findState(db, state.list);
      if (present?.version !== before?.version || present?.history !== before?.history) {
        throw new IndexesChangedError(`the indexes of ${state.list} were written by somebody else`);
      }
      if (own && listFileNames(db).get(own.number) !== own.file.name) {
        throw new IndexesChangedError(`the file of the indexes of ${state.list} is listed no more`);
      }
      const next =
        (db
          .statement<{ version: number | null }>('SELECT max(version) AS version FROM list_index_states')
          .get()?.version ?? 0) + 1;
      if (!before) db.statement('DELETE FROM list_indexes WHERE list = ?').run(state.list);
      for (const { key, total, slots } of changed) {
        db.statement(
          `INSERT INTO list_indexes (key, list, total, version, chunks) VALUES (@key, @list, @total, @version, @chunks)
           ON CONFLICT (key) DO UPDATE SET total = @total, version = @version, chunks = @chunks`,
        ).run({
          key: key.name,
          list: key.list,
          total,
          version: next,
          chunks: encodeExtents(slotExtents(slots)),
        });
      }
      db.statement(
        `INSERT INTO list_index_states (list, history, seq, popularity, version, erased_seq)
         VALUES (@list, @history, @seq, @popularity, @version, 0)
         ON CONFLICT (list) DO UPDATE SET history = @history, seq = @seq, popularity = @popularity, version = @version`,
      ).run({ ...state, version: next });
      for (const list of others) {
        db.statement('UPDATE list_index_states SET seq = ? WHERE list = ? AND history = ?').run(
          state.seq,
          list,
          state.history,
        );
      }
      return next;
    });
    committedAt = performance.now();
    return version;
  };

  const makeList = async (
    source: Database,
    list: ListKind,
    write: Write,
    signal: AbortSignal,
  ): Promise<Map<string, HeldIndex>> => {
    const indexes = new Map<string, HeldIndex>();
    const itemOf = createItemReader(source);
    for (const [forward, backward] of ORDER_PAIRS) {
      const walked = await walkOrder(source, list, forward, limits.held, signal);
      for (const key of keysOf(list)) {
        if (key.sort !== forward && key.sort !== backward) continue;
        const places = walked.get(placesName(key)) as Places;
        const wanted = key.sort === forward ? places.forward : places.backward;
        const index: HeldIndex = { key, total: places.total, slots: [] };
        index.slots = [{ items: wanted.map(({ row }) => itemOf(row)) }];
        writeDrafts(index, write);
        indexes.set(key.name, index);
        await setImmediate();
        signal.throwIfAborted();
      }
    }
    return indexes;
  };

  /** @returns the indexes that it touched; undefined when it is better to make them all */
  const followChanges = (
    source: Database,
    { indexes }: LoadedList,
    state: ListState,
    moment: Moment,
  ): HeldIndex[] | undefined => {
    const { list } = state;
    const changes = source
      .statement<{ entry_id: string }>(
        'SELECT DISTINCT entry_id FROM changes WHERE seq > ? AND seq <= ? AND list = ? LIMIT ?',
      )
      .all(state.seq, moment.seq, list, CHANGES_MAX + 1);
    if (changes.length > CHANGES_MAX) return undefined;
    const entries = changes.map(({ entry_id }) => ({
      entryId: entry_id,
      fresh: findFresh(source, list, entry_id),
    }));
    const keysAt = createKeyReader(source);
    const touched: HeldIndex[] = [];
    for (const index of indexes.values()) {
      const wasWhole = heldPlaces(index) === index.total;
      let isTouched = false;
      for (const { entryId } of entries) {
        if (removeEntry(index, entryId, readChunkJson)) isTouched = true;
      }
      for (const { fresh } of entries) {
        if (fresh && applyEntry(index, fresh, wasWhole, keysAt, readChunkJson)) isTouched = true;
      }
      const total = countEntries(source, list, index.key);
      if (total !== index.total) isTouched = true;
      index.total = total;
      if (wasWhole && heldPlaces(index) !== total) return undefined;
      if (heldPlaces(index) < Math.min(total, limits.served)) {
        refill(source, index);
        isTouched = true;
        if (heldPlaces(index) < Math.min(total, limits.served)) return undefined;
      }
      trimPlaces(index, limits.held);
      if (isTouched) touched.push(index);
    }
    return touched;
  };

  /** Takes the next places after those that are held. */
  const refill = (source: Database, index: HeldIndex): void => {
    const { list, sort } = index.key;
    const held = heldPlaces(index);
    const rows = source
      .statement<{ row: number }>(
        `SELECT row FROM entries WHERE list = ? ${filterSql(list, index.key)} ORDER BY ${ORDERS[sort]}
         LIMIT ? OFFSET ?`,
      )
      .all(list, limits.held - held, held);
    const present = new Set(index.slots.flatMap((slot) => rowsOf(slot)));
    const itemOf = createItemReader(source);
    const items = rows.filter(({ row }) => !present.has(row)).map(({ row }) => itemOf(row));
    if (items.length > 0) index.slots.push({ items });
  };

  /** Moves what has other views now; the texts stay. @returns the indexes that it touched */
  const followPopularity = async (
    source: Database,
    { indexes }: LoadedList,
    list: ListKind,
    signal: AbortSignal,
  ): Promise<HeldIndex[]> => {
    const walked = await walkOrder(source, list, 'popular', limits.held, signal);
    const itemOf = createItemReader(source);
    const touched: HeldIndex[] = [];
    for (const index of indexes.values()) {
      const { sort } = index.key;
      if (sort !== 'popular' && sort !== 'popular_asc') continue;
      const places = walked.get(placesName(index.key)) as Places;
      if (resequence(index, sort === 'popular' ? places.forward : places.backward, itemOf))
        touched.push(index);
      await setImmediate();
      signal.throwIfAborted();
    }
    return touched;
  };

  const refreshList = async (
    source: Database,
    list: ListKind,
    moment: Moment,
    others: readonly ListKind[],
    write: Write,
    signal: AbortSignal,
  ): Promise<number> => {
    const before = findState(db, list);
    const state = { list, ...moment };
    const touched = before && before.history === moment.history ? await follow(before) : undefined;
    if (touched && before) {
      for (const index of touched) writeDrafts(index, write);
      const version = commit(write, state, before, touched, others);
      (loaded.get(list) as LoadedList).version = version;
      return touched.length;
    }
    loaded.delete(list);
    const indexes = await makeList(source, list, write, signal);
    loaded.set(list, { version: commit(write, state, before, [...indexes.values()], others), indexes });
    return indexes.size;

    async function follow(known: ListState): Promise<HeldIndex[] | undefined> {
      let listed: LoadedList;
      try {
        listed = loadList(known);
      } catch {
        // Bytes that are gone or damaged are made again.
        return undefined;
      }
      const changed = followChanges(source, listed, known, moment);
      if (!changed || known.popularity === moment.popularity) return changed;
      const moved = await followPopularity(source, listed, list, signal);
      return [...new Set([...changed, ...moved])];
    }
  };

  /** In a database that was put back to an earlier state, files are not listed, or their numbers are given anew. */
  const forgetForeignFiles = (): void => {
    const names = listFileNames(db);
    for (const [number, { name }] of files) if (names.get(number) !== name) return forget();
  };

  const refreshAll = async (write: Write, signal: AbortSignal): Promise<RefreshReport> => {
    appendedBytes = 0;
    forgetForeignFiles();
    const isWhole = hasAllFiles(db, folder);
    // Somebody has cleared the folder: what is open here is gone for everybody else.
    if (!isWhole) forget();
    const source = openDatabase(db.path, 'read');
    try {
      // One moment for all that is read; other jobs go on meanwhile.
      source.connection.exec('BEGIN');
      const moment = readMoment(source);
      const states = new Map(listStates(db).map((state) => [state.list, state]));
      const isBehind = (list: ListKind): boolean => {
        const state = states.get(list);
        if (!isWhole || !state || state.history !== moment.history) return true;
        if (state.popularity !== moment.popularity) return true;
        return (
          state.seq < moment.seq &&
          source
            .statement('SELECT 1 FROM changes WHERE seq > ? AND list = ? LIMIT 1')
            .get(state.seq, list) !== undefined
        );
      };
      const behind = LIST_KINDS.filter(isBehind);
      const others = LIST_KINDS.filter((list) => !behind.includes(list));
      let indexes = 0;
      for (const list of behind) indexes += await refreshList(source, list, moment, others, write, signal);
      return { indexes, bytes: appendedBytes };
    } finally {
      source.close();
    }
  };

  const tidyFiles = async (write: Write, signal: AbortSignal): Promise<void> => {
    if (listStates(db).length === 0) return;
    forgetForeignFiles();
    let live = readLiveExtents(db);
    const bytes = [...listFileNames(db).keys()].reduce(
      (sum, file) => sum + (live.has(file) ? fileOf(file).bytes : 0),
      0,
    );
    const liveBytes = [...live.values()].flat().reduce((sum, extent) => sum + extentBytes(extent), 0);
    if (bytes > 2 * liveBytes + GARBAGE_MAX_BYTES || live.size > FILES_MAX) {
      await copyAll(write, signal);
      live = readLiveExtents(db);
    }
    for (const file of listFileNames(db).keys()) {
      if (live.has(file) || file === own?.number) continue;
      write(() => db.statement('DELETE FROM list_index_files WHERE file = ?').run(file));
      files.get(file)?.close();
      files.delete(file);
    }
    const kept = listFileNames(db);
    removeOtherFiles(folder, new Set(kept.values()));
    eraseRemoved(write, live, kept);
  };

  /** Everything that is live moves into a new file; the old ones are dropped. */
  const copyAll = async (write: Write, signal: AbortSignal): Promise<void> => {
    own = undefined;
    for (const state of listStates(db)) {
      const { indexes } = loadList(state);
      for (const index of indexes.values()) {
        index.slots = index.slots.map((slot) => {
          const { extent, tables } = slot as Chunk;
          const { number, file } = ownFile(write);
          const offset = file.append([fileOf(extent.file).read(extent.offset, extentBytes(extent))]);
          return { extent: { ...extent, file: number, offset }, tables };
        });
        await setImmediate();
        signal.throwIfAborted();
      }
      const { list, history, seq, popularity } = state;
      const version = commit(write, { list, history, seq, popularity }, state, [...indexes.values()], []);
      (loaded.get(list) as LoadedList).version = version;
    }
  };

  /** Zeros over everything between live chunks, once a removal has been refreshed and readers have moved on. */
  const eraseRemoved = (
    write: Write,
    live: ReadonlyMap<number, readonly Extent[]>,
    listed: ReadonlyMap<number, string>,
  ): void => {
    if (performance.now() - committedAt < ERASE_AFTER_MS) return;
    const due = listStates(db).filter(({ list, seq, erased_seq }) =>
      db
        .statement("SELECT 1 FROM changes WHERE seq > ? AND seq <= ? AND op = 'removed' AND list = ? LIMIT 1")
        .get(erased_seq, seq, list),
    );
    if (due.length === 0) return;
    for (const [number, name] of listed) {
      const file = fileOf(number);
      const gaps = findGaps(live.get(number) ?? [], file.bytes);
      const before = erased.get(name);
      for (const { offset, length } of gaps) {
        if (!before?.has(`${offset} ${length}`)) file.erase(offset, length);
      }
      file.sync();
      erased.set(name, new Set(gaps.map(({ offset, length }) => `${offset} ${length}`)));
    }
    write(() => {
      for (const { list, seq } of due) {
        db.statement('UPDATE list_index_states SET erased_seq = ? WHERE list = ?').run(seq, list);
      }
    });
  };

  return {
    refresh: (write, signal) => inTurn(() => refreshAll(write, signal)),
    tidy: (write, signal) => inTurn(() => tidyFiles(write, signal)),
    close: forget,
  };
}

/** The indexes are made again from the entries by the next refresh; until then, readers read the entries. */
export function dropListIndexes(db: Database): void {
  // Versions go on: what a version once named is never named by it again.
  db.statement("UPDATE list_index_states SET history = ''").run();
}

function keysOf(list: ListKind): IndexKey[] {
  return INDEX_KEYS.filter((key) => key.list === list);
}

function rowsOf(slot: Slot): number[] {
  return 'extent' in slot ? [...slot.tables.rows] : slot.items.map(({ row }) => row);
}

function listStates(db: Database): ListState[] {
  return db.statement<ListState>('SELECT * FROM list_index_states').all();
}

function findState(db: Database, list: ListKind): ListState | undefined {
  return db.statement<ListState>('SELECT * FROM list_index_states WHERE list = ?').get(list);
}

function listFileNames(db: Database): Map<number, string> {
  const rows = db.statement<{ file: number; name: string }>('SELECT file, name FROM list_index_files').all();
  return new Map(rows.map(({ file, name }) => [file, name]));
}

function hasAllFiles(db: Database, folder: string): boolean {
  return listFileNames(db)
    .values()
    .every((name) => existsSync(join(folder, name)));
}

function readMoment(source: Database): Moment {
  return source
    .statement<Moment>(
      `SELECT (SELECT value FROM properties WHERE key = 'history') AS history,
         (SELECT coalesce(max(seq), 0) FROM changes) AS seq,
         coalesce((SELECT value FROM properties WHERE key = 'popularity'), '0') AS popularity`,
    )
    .get() as Moment;
}

/** Where live chunks lie, by file. */
function readLiveExtents(db: Database): Map<number, Extent[]> {
  const live = new Map<number, Extent[]>();
  for (const { chunks } of db.statement<{ chunks: Buffer }>('SELECT chunks FROM list_indexes').all()) {
    for (const extent of decodeExtents(chunks)) {
      const extents = live.get(extent.file);
      if (extents) extents.push(extent);
      else live.set(extent.file, [extent]);
    }
  }
  return live;
}

function findGaps(extents: readonly Extent[], bytes: number): { offset: number; length: number }[] {
  const gaps: { offset: number; length: number }[] = [];
  let at = 0;
  for (const extent of extents.toSorted((a, b) => a.offset - b.offset)) {
    if (extent.offset > at) gaps.push({ offset: at, length: extent.offset - at });
    at = extent.offset + extentBytes(extent);
  }
  if (bytes > at) gaps.push({ offset: at, length: bytes - at });
  return gaps;
}
