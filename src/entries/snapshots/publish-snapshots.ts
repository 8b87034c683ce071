/**
 * Publishing the snapshots: chunks that a change has touched are written anew, then the manifest that names them takes
 * the place of the last one. Ended at any moment, the last manifest is there with all its chunks.
 */
import { renameSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { formatCursor, getCursor, isCursorAlive, parseCursor } from '../../changes/cursor.ts';
import { readLogHead } from '../../changes/log-head.ts';
import { openDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { syncFolder, writeWholeFile } from '../../db/write-whole-file.ts';
import { LIST_KINDS } from '../entry.ts';
import type { ListKind } from '../entry.ts';
import {
  CHUNK_KEPT_MS,
  eraseFromSnapshots,
  findChunkItems,
  listChunkNames,
  makeFolders,
  MANIFEST_LEVELS,
  retireChunk,
  sweepChunks,
  sweepTemporary,
  writeChunk,
  writeForms,
} from './chunk-files.ts';
import type { RemovedEntry } from './chunk-files.ts';
import { findItem, findItems } from './chunk-items.ts';
import { bitsOf, CHUNK_ENTRIES_MAX, chunkPath, parseChunkName, rangeOf } from './chunk-name.ts';
import { findManifest, FORMAT_VERSION, manifestFile, manifestForm, snapshotsFolder } from './manifest.ts';
import type { Manifest, ManifestChunk, ManifestList } from './manifest.ts';

export interface PublishOptions {
  /** The last change that was published before; undefined: everything is made anew. */
  readonly from: number | undefined;
  /** Runs the step that makes the new manifest count; throws when another worker has taken over. */
  readonly write: (change: () => void) => void;
  readonly signal: AbortSignal;
}

export interface PublishReport {
  /** Chunks that the manifest did not name before. */
  readonly written: number;
  /** Chunks deleted because they held a removed entry, or are of another history. */
  readonly erased: number;
}

/** The snapshots as of now. For one caller at a time: the worker, under its lease. */
export async function publishSnapshots(
  databasePath: string,
  { from, write, signal }: PublishOptions,
): Promise<PublishReport> {
  const folder = snapshotsFolder(databasePath);
  await makeFolders(folder);
  await sweepTemporary(folder);
  // One moment of the database for all chunks, whatever is written meanwhile; the worker's own handle cannot stand still.
  const db = openDatabase(databasePath, 'read');
  try {
    db.connection.exec('BEGIN');
    const { seq } = readLogHead(db);
    const last = from === undefined ? undefined : findManifest(folder);
    const since = last && parseCursor(last.cursor);
    const base = last && since && isCursorAlive(db, since) ? { last, seq: since.seq } : undefined;
    const removed = from === undefined ? [] : listRemoved(db, from);
    let manifest: Manifest;
    try {
      const chunks = base
        ? await remakeTouched(db, folder, base.last, base.seq, signal)
        : await makeAll(db, folder, signal);
      manifest = await writeManifest(db, folder, seq, chunks, base?.last, write);
    } catch (error) {
      // Who was removed must not stay for want of room on the disk.
      await eraseFromSnapshots(databasePath, removed);
      throw error;
    }
    const kept = new Set(pathsOf(manifest));
    const before = new Set(base ? pathsOf(base.last) : []);
    return {
      written: [...kept].filter((path) => !before.has(path)).length,
      erased: base
        ? await eraseFromSnapshots(databasePath, removed, kept)
        : // Nobody knows what the others hold.
          await sweepChunks(folder, kept, Number.POSITIVE_INFINITY),
    };
  } finally {
    db.close();
  }
}

/** Deletes what came out of use a day ago. @returns how many chunks */
export async function sweepSnapshots(databasePath: string, now: number): Promise<number> {
  const folder = snapshotsFolder(databasePath);
  const manifest = findManifest(folder);
  return manifest ? sweepChunks(folder, new Set(pathsOf(manifest)), now - CHUNK_KEPT_MS) : 0;
}

type Chunks = Record<ListKind, ManifestChunk[]>;

function pathsOf(manifest: Manifest): string[] {
  return LIST_KINDS.flatMap((list) => manifest.lists[list].chunks.map(({ path }) => path));
}

async function makeAll(db: Database, folder: string, signal: AbortSignal): Promise<Chunks> {
  const chunks = {} as Chunks;
  for (const list of LIST_KINDS) chunks[list] = await makeChunks(db, folder, list, '', signal);
  return chunks;
}

async function remakeTouched(
  db: Database,
  folder: string,
  last: Manifest,
  since: number,
  signal: AbortSignal,
): Promise<Chunks> {
  const changed = db
    .statement<{ list: ListKind; entryId: string }>(
      'SELECT DISTINCT list, entry_id AS entryId FROM changes WHERE seq > ?',
    )
    .all(since);
  // Names of all chunks take longer to read than one chunk to write.
  const isFirstOfHour = hourOf(new Date(last.generatedAt)) !== hourOf(new Date());
  const chunks = {} as Chunks;
  for (const list of LIST_KINDS) {
    const present = isFirstOfHour ? new Set(await listChunkNames(folder, list)) : undefined;
    const named = last.lists[list].chunks.map((chunk) => {
      const name = chunk.path.slice(chunkPath(list, '').length);
      return { chunk, prefix: parseChunkName(name)?.prefix ?? '', isMissing: present?.has(name) === false };
    });
    const findPrefix = createPrefixFinder(named.map(({ prefix }) => prefix));
    const touched = Map.groupBy(
      changed.filter((change) => change.list === list).map(({ entryId }) => entryId),
      findPrefix,
    );
    chunks[list] = [];
    for (const { chunk, prefix, isMissing } of named) {
      const entryIds = touched.get(prefix) ?? [];
      const isStale = entryIds.length > 0 || isMissing;
      chunks[list].push(
        ...(isStale ? await remakeChunk(db, folder, list, { chunk, prefix, entryIds }, signal) : [chunk]),
      );
    }
  }
  return chunks;
}

function hourOf(time: Date): string {
  return time.toISOString().slice(0, 'yyyy-mm-ddThh'.length);
}

interface TouchedChunk {
  readonly chunk: ManifestChunk;
  readonly prefix: string;
  /** Entries that have changed. */
  readonly entryIds: readonly string[];
}

/** From its own file, so that only what has changed is read: an index has the entries of all lists mixed. */
async function remakeChunk(
  db: Database,
  folder: string,
  list: ListKind,
  { chunk, prefix, entryIds }: TouchedChunk,
  signal: AbortSignal,
): Promise<ManifestChunk[]> {
  // More would have to be held in memory before they are divided.
  const items = entryIds.length > CHUNK_ENTRIES_MAX ? undefined : await findChunkItems(folder, chunk);
  if (!items) return makeChunks(db, folder, list, prefix, signal);
  for (const entryId of entryIds) {
    const item = findItem(db, list, entryId);
    if (item === undefined) items.delete(entryId);
    else items.set(entryId, item);
  }
  return items.size > CHUNK_ENTRIES_MAX
    ? makeChunks(db, folder, list, prefix, signal)
    : [await writeChunk(folder, list, prefix, items)];
}

/** @returns of which of the chunks an `_id` is; they cover all that there can be, and none twice */
function createPrefixFinder(prefixes: readonly string[]): (entryId: string) => string | undefined {
  const known = new Set(prefixes);
  const lengths = [...new Set(prefixes.map(({ length }) => length))];
  return (entryId) => {
    const bits = bitsOf(entryId);
    const length = lengths.find((candidate) => known.has(bits.slice(0, candidate)));
    return length === undefined ? undefined : bits.slice(0, length);
  };
}

/** Entries that a change after this one took from the public, even if they have come back since. */
function listRemoved(db: Database, after: number): RemovedEntry[] {
  return db
    .statement<RemovedEntry>(
      `SELECT DISTINCT list, entry_id AS entryId FROM changes WHERE seq > ?
         AND (op = 'removed' OR NOT EXISTS (SELECT 1 FROM entries WHERE entries.entry_id = changes.entry_id
           AND (entries.list != 'legit' OR entries.verified = 1)))`,
    )
    .all(after);
}

/** The chunk of all entries whose `_id` begins with these bits, or several of them when it would be too large. */
async function makeChunks(
  db: Database,
  folder: string,
  list: ListKind,
  prefix: string,
  signal: AbortSignal,
): Promise<ManifestChunk[]> {
  signal.throwIfAborted();
  const items = findItems(db, list, rangeOf(prefix), CHUNK_ENTRIES_MAX);
  if (!items) {
    return [
      ...(await makeChunks(db, folder, list, `${prefix}0`, signal)),
      ...(await makeChunks(db, folder, list, `${prefix}1`, signal)),
    ];
  }
  // Others of the worker have their turn.
  await setImmediate();
  return [await writeChunk(folder, list, prefix, items)];
}

function listOf(chunks: readonly ManifestChunk[]): ManifestList {
  return { total: chunks.reduce((total, { entries }) => total + entries, 0), chunks };
}

async function writeManifest(
  db: Database,
  folder: string,
  seq: number,
  chunks: Chunks,
  last: Manifest | undefined,
  write: PublishOptions['write'],
): Promise<Manifest> {
  const manifest: Manifest = {
    formatVersion: FORMAT_VERSION,
    generation: seq,
    generatedAt: new Date().toISOString(),
    cursor: formatCursor(getCursor(db, seq)),
    lists: {
      scammers: listOf(chunks.scammers),
      servers: listOf(chunks.servers),
      legit: listOf(chunks.legit),
    },
  };
  const named = new Set(pathsOf(manifest));
  for (const list of LIST_KINDS) {
    await syncFolder(join(folder, list));
    for (const chunk of last?.lists[list].chunks ?? []) {
      if (!named.has(chunk.path)) await retireChunk(folder, chunk);
    }
  }
  const body = Buffer.from(JSON.stringify(manifest));
  const form = manifestForm(folder, body);
  await writeForms(folder, form, body, MANIFEST_LEVELS);
  await writeWholeFile(manifestFile(folder), body, {
    place: (temporary, path) => write(() => renameSync(temporary, path)),
  });
  await syncFolder(folder);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name.startsWith('manifest-') && !path.startsWith(form)) await rm(path, { force: true });
  }
  return manifest;
}
