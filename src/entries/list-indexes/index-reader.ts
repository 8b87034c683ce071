/**
 * Pages of lists out of the list indexes, in the web process: a page is one or two slices of a file. The directory is
 * looked at every LOOK_MS and held in memory; chunks stay in their files. Whenever an index is behind the change log,
 * or a slice is not what it should be, there is no page here, and the caller reads the entries.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Database } from '../../db/database.ts';
import type { ListKind } from '../entry.ts';
import type { ListQuery } from '../list-query.ts';
import { checkEnds, decodeExtents, endsPlace } from './chunk.ts';
import type { Extent } from './chunk.ts';
import { indexNameOf } from './index-key.ts';
import { LentBuffers } from './lent-buffers.ts';

/** ListResponse as it is sent. */
export interface IndexPage {
  readonly body: Buffer;
  /** Differs whenever the body does. */
  readonly etag: string;
  /** The body is lent: told when nobody needs it any more. At most once. */
  readonly release: () => void;
}

export interface ListIndexReader {
  /** @param query without `id` and `search`. @returns undefined when the entries have to be read */
  page(list: ListKind, query: ListQuery): IndexPage | undefined;
  /** Changes with the order of `popular` and `popular_asc`. */
  readonly popularity: () => string;
  close(): void;
}

/** As often as the generation is looked at. */
const LOOK_MS = 10;
/** What could not be read is tried again after this time. */
const RETRY_MS = 1_000;

const HEAD = Buffer.from('{"data":[');
const OPENING_BRACE = '{'.charCodeAt(0);
const CLOSING_BRACE = '}'.charCodeAt(0);

interface HeldChunk {
  readonly extent: Extent;
  /** Read when a page first needs it. */
  ends: Uint32Array | undefined;
}

interface HeldIndex {
  readonly total: number;
  readonly etag: string;
  readonly chunks: readonly HeldChunk[];
  /** Place of each chunk's first entry; then the number of all. */
  readonly starts: Uint32Array;
}

interface StateRow {
  readonly list: ListKind;
  readonly history: string;
  readonly seq: number;
  readonly popularity: string;
  readonly version: number;
  readonly logHistory: string;
  readonly logSeq: number;
  readonly logPopularity: string;
}

const STATES = `SELECT list, history, seq, popularity, version,
    (SELECT value FROM properties WHERE key = 'history') AS logHistory,
    (SELECT coalesce(max(seq), 0) FROM changes) AS logSeq,
    coalesce((SELECT value FROM properties WHERE key = 'popularity'), '0') AS logPopularity
  FROM list_index_states`;

const FILES = 'SELECT file, name FROM list_index_files';

/**
 * @param folder where the worker writes the chunks
 * @param onFailure told when they cannot be read
 */
export function createListIndexReader(
  db: Database,
  folder: string,
  generation: () => number,
  onFailure: (error: unknown) => void,
): ListIndexReader {
  const indexes = new Map<string, HeldIndex>();
  const names = new Map<number, string>();
  /** Opened when a page first needs them. */
  const files = new Map<number, { readonly name: string; readonly fd: number }>();
  const buffers = new LentBuffers();
  let current: ReadonlySet<ListKind> = new Set();
  let history = '';
  let version = -1;
  let popularity = '';
  let lookedAt = Number.NEGATIVE_INFINITY;
  let lookedFor = -1;
  let notBefore = Number.NEGATIVE_INFINITY;

  const forget = (): void => {
    indexes.clear();
    for (const { fd } of files.values()) closeSync(fd);
    files.clear();
    history = '';
    version = -1;
  };

  const listFiles = (): void => {
    names.clear();
    for (const { file, name } of db.statement<{ file: number; name: string }>(FILES).all())
      names.set(file, name);
    for (const [file, { name, fd }] of files) {
      if (names.get(file) === name) continue;
      closeSync(fd);
      files.delete(file);
    }
  };

  /** Takes over what the worker has written since; chunks that stayed where they were keep what was read of them. */
  const load = (states: readonly StateRow[]): void => {
    const [{ logHistory = '' } = {}] = states;
    const newest = Math.max(...states.map((state) => state.version));
    if (logHistory !== history || newest < version) forget();
    if (newest !== version) {
      listFiles();
      const rows = db
        .statement<{ key: string; total: number; version: number; chunks: Buffer }>(
          'SELECT key, total, version, chunks FROM list_indexes WHERE version > ?',
        )
        .all(version);
      for (const row of rows) indexes.set(row.key, hold(row, logHistory, indexes.get(row.key)));
      version = newest;
      history = logHistory;
    }
    current = new Set(
      states.filter((state) => state.history === logHistory && !hasChanges(state)).map(({ list }) => list),
    );
  };

  const hasChanges = ({ list, seq, logSeq }: StateRow): boolean =>
    seq !== logSeq &&
    db.statement('SELECT 1 FROM changes WHERE seq > ? AND list = ? LIMIT 1').get(seq, list) !== undefined;

  const look = (): void => {
    const at = performance.now();
    const asked = generation();
    // An answer that is kept for a generation must not be older than that.
    if (at - lookedAt < LOOK_MS && asked === lookedFor) return;
    lookedAt = at;
    lookedFor = asked;
    if (at < notBefore) return;
    try {
      db.snapshot(() => {
        const states = db.statement<StateRow>(STATES).all();
        popularity = states.map((state) => `${state.logPopularity}/${state.popularity}`).join();
        if (states.length === 0) current = new Set();
        else load(states);
      });
    } catch (error) {
      fail(error, at);
    }
  };

  const fail = (error: unknown, at: number): void => {
    forget();
    current = new Set();
    notBefore = at + RETRY_MS;
    onFailure(error);
  };

  const endsOf = (chunk: HeldChunk): Uint32Array => {
    if (chunk.ends) return chunk.ends;
    const { extent } = chunk;
    const { position, length } = endsPlace(extent);
    const ends = new Uint32Array(extent.entries);
    readFully(fileOf(extent), new Uint8Array(ends.buffer), 0, length, position);
    checkEnds(ends, extent.jsonBytes);
    chunk.ends = ends;
    return ends;
  };

  const fileOf = ({ file }: Extent): number => {
    let open = files.get(file);
    if (!open) {
      const name = names.get(file);
      if (name === undefined) throw new Error(`file ${file} of the list indexes is not listed`);
      open = { name, fd: openSync(join(folder, name), 'r') };
      files.set(file, open);
    }
    return open.fd;
  };

  /** Undefined beyond the places that are held. */
  const read = (index: HeldIndex, skip: number, limit: number): IndexPage | undefined => {
    const { total, chunks, starts, etag } = index;
    const end = Math.min(skip + limit, total);
    const tail = `],"total":${total},"hasMore":${end < total && skip < total}}`;
    if (skip >= total) return { body: Buffer.from(HEAD.toString() + tail), etag, release: () => {} };
    if ((starts.at(-1) as number) < end) return undefined;
    const slices: { fd: number; position: number; length: number }[] = [];
    let bytes = 0;
    for (let at = findChunk(starts, skip); at < chunks.length && (starts[at] as number) < end; at += 1) {
      const chunk = chunks[at] as HeldChunk;
      const ends = endsOf(chunk);
      const start = starts[at] as number;
      const from = skip > start ? (ends[skip - start - 1] as number) : 0;
      const to = ends[Math.min(end - start, ends.length) - 1] as number;
      slices.push({ fd: fileOf(chunk.extent), position: chunk.extent.offset + from, length: to - from });
      bytes += to - from;
    }
    // The last comma gives way to the tail.
    const { body, release } = buffers.take(HEAD.length + bytes - 1 + tail.length);
    HEAD.copy(body);
    let at = HEAD.length;
    for (const { fd, position, length } of slices) {
      const missing = at + length - (HEAD.length + bytes - 1);
      readFully(fd, body, at, length - Math.max(0, missing), position);
      at += length;
    }
    at -= 1;
    // Bytes that are erased meanwhile, or that a power cut took, are zeros.
    body.write(tail, at, 'latin1');
    if (body[HEAD.length] !== OPENING_BRACE || body[at - 1] !== CLOSING_BRACE || body.includes(0)) {
      throw new Error('a slice of a list index is damaged');
    }
    return { body, etag, release };
  };

  return {
    page(list, query) {
      look();
      if (!current.has(list)) return undefined;
      const index = indexes.get(indexNameOf(list, query));
      if (!index) return undefined;
      try {
        return read(index, query.skip, query.limit);
      } catch (error) {
        fail(error, performance.now());
        return undefined;
      }
    },
    popularity: () => {
      look();
      return popularity;
    },
    close: forget,
  };
}

function hold(
  row: { readonly total: number; readonly version: number; readonly chunks: Buffer },
  history: string,
  before: HeldIndex | undefined,
): HeldIndex {
  const known = new Map(before?.chunks.map((chunk) => [placeOf(chunk.extent), chunk]));
  const chunks = decodeExtents(row.chunks).map(
    (extent): HeldChunk => known.get(placeOf(extent)) ?? { extent, ends: undefined },
  );
  const starts = new Uint32Array(chunks.length + 1);
  for (const [index, { extent }] of chunks.entries()) {
    starts[index + 1] = (starts[index] as number) + extent.entries;
  }
  return { total: row.total, etag: `"${history}-${row.version.toString(36)}"`, chunks, starts };
}

function placeOf({ file, offset }: Extent): string {
  return `${file} ${offset}`;
}

/** The last chunk that starts at the place or before it. */
function findChunk(starts: Uint32Array, place: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as number) <= place) low = middle;
    else high = middle;
  }
  return low;
}

function readFully(fd: number, into: Uint8Array, at: number, length: number, position: number): void {
  if (readSync(fd, into, at, length, position) !== length) {
    throw new Error('a file of the list indexes is shorter than it should be');
  }
}
