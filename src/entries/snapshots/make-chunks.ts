/** Which chunks there are at one moment of the database: all made from the entries, or those made anew that changed. */
import { setImmediate } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import { LIST_KINDS } from '../entry.ts';
import type { ListKind } from '../entry.ts';
import { findChunkItems, listChunkNames, writeChunk } from './chunk-files.ts';
import { findItem, findItems } from './chunk-items.ts';
import { bitsOf, CHUNK_ENTRIES_MAX, chunkPath, parseChunkName, rangeOf } from './chunk-name.ts';
import type { Manifest, ManifestChunk } from './manifest.ts';

export type Chunks = Record<ListKind, ManifestChunk[]>;

export async function makeAllChunks(db: Database, folder: string, signal: AbortSignal): Promise<Chunks> {
  const chunks = {} as Chunks;
  for (const list of LIST_KINDS) chunks[list] = await makeChunks(db, folder, list, '', signal);
  return chunks;
}

/**
 * Of the chunks that a manifest names those that a later change has touched are made again.
 * @param since the last change that the manifest knows
 */
export async function remakeTouchedChunks(
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
