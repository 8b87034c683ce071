/**
 * The files of the chunks: snapshots/LIST/NAME.json beside the database, with its compressed forms beside it. What a
 * manifest names is there; what no manifest names any more stays for a day, unless it holds somebody who was removed.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { TEMPORARY_PREFIX, writeWholeFile } from '../../db/write-whole-file.ts';
import { LIST_KINDS } from '../entry.ts';
import type { ListKind } from '../entry.ts';
import { joinItems, splitItems } from './chunk-items.ts';
import type { ChunkItems } from './chunk-items.ts';
import { bitsOf, chunkName, chunkPath, parseChunkName } from './chunk-name.ts';
import { snapshotsFolder } from './manifest.ts';
import type { ManifestChunk } from './manifest.ts';

/** Ends of the names of compressed forms. */
export const FORMS = { br: '.br', gzip: '.gz' } as const;
/** Of brotli and gzip. For half a megabyte of chunk: higher levels take ten times as long for a tenth less. */
const CHUNK_LEVELS = { br: 6, gzip: 6 };
/** A manifest consists of hashes, which do not compress: higher levels take ten times as long and save nothing. */
export const MANIFEST_LEVELS = { br: 1, gzip: 1 };
/** A reader may be this far behind with the manifest that it follows. */
export const CHUNK_KEPT_MS = 24 * 3_600_000;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

export async function makeFolders(folder: string): Promise<void> {
  for (const list of LIST_KINDS) await mkdir(join(folder, list), { recursive: true });
}

/**
 * @param folder of the snapshots: unfinished files lie there, so that nobody has to look for them among the chunks
 * @param path of the file whose compressed forms these are
 */
export async function writeForms(
  folder: string,
  path: string,
  body: Buffer,
  levels: Readonly<Record<keyof typeof FORMS, number>>,
): Promise<void> {
  const brotli = { [constants.BROTLI_PARAM_QUALITY]: levels.br };
  await writeWholeFile(path + FORMS.br, await compressBrotli(body, { params: brotli }), { folder });
  await writeWholeFile(path + FORMS.gzip, await compressGzip(body, { level: levels.gzip }), { folder });
}

export async function writeChunk(
  folder: string,
  list: ListKind,
  prefix: string,
  items: ChunkItems,
): Promise<ManifestChunk> {
  const body = joinItems(items);
  const sha256 = createHash('sha256').update(body).digest('hex');
  const name = chunkName(prefix, sha256);
  const path = join(folder, list, name);
  // The same content came back: from now on it counts as new, so that no sweep takes it for one that is long unused.
  if (existsSync(path)) {
    await touch(path);
  } else {
    // The file itself comes last: when it is there, its forms are.
    await writeForms(folder, path, body, CHUNK_LEVELS);
    await writeWholeFile(path, body, { folder });
  }
  return { path: chunkPath(list, name), sha256, bytes: body.length, entries: items.size };
}

/** What a chunk holds; undefined when its file is gone or damaged. */
export async function findChunkItems(
  folder: string,
  { path, sha256 }: ManifestChunk,
): Promise<ChunkItems | undefined> {
  const body = await readFile(fileOf(folder, path)).catch(() => undefined);
  const isWhole = body && createHash('sha256').update(body).digest('hex') === sha256;
  return isWhole ? splitItems(body) : undefined;
}

/** From now on nobody is sent here any more: CHUNK_KEPT_MS begin. */
export async function retireChunk(folder: string, { path }: ManifestChunk): Promise<void> {
  const file = fileOf(folder, path);
  if (existsSync(file)) await touch(file);
}

function fileOf(folder: string, path: string): string {
  return join(folder, ...path.split('/').slice(2));
}

async function touch(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now);
}

/** Names of the chunks of a list that are there. */
export async function listChunkNames(folder: string, list: ListKind): Promise<string[]> {
  const names = await readdir(join(folder, list)).catch(() => []);
  return names.filter((name) => parseChunkName(name) !== undefined);
}

/** What was removed from a list. */
export interface RemovedEntry {
  readonly list: string;
  readonly entryId: string;
}

/**
 * Deletes every chunk that holds one of these entries, whatever manifest names it; whoever asks for it gets 410. The
 * worker does so as soon as it sees a removal; a command may do it at once as well.
 * @param kept paths that stay: those of a manifest that was made after the removal
 * @returns how many chunks were deleted
 */
export async function eraseFromSnapshots(
  databasePath: string,
  removed: readonly RemovedEntry[],
  kept: ReadonlySet<string> = new Set(),
): Promise<number> {
  const folder = snapshotsFolder(databasePath);
  let deleted = 0;
  for (const list of LIST_KINDS) {
    const gone = removed
      .filter((entry) => entry.list === list)
      .map(({ entryId }) => ({ bits: bitsOf(entryId), field: `"_id":"${entryId}"` }));
    if (gone.length === 0) continue;
    for (const name of await listChunkNames(folder, list)) {
      const prefix = parseChunkName(name)?.prefix ?? '';
      const candidates = gone.filter(({ bits }) => bits.startsWith(prefix));
      if (candidates.length === 0 || kept.has(chunkPath(list, name))) continue;
      const path = join(folder, list, name);
      const text = await readFile(path, 'utf8').catch(() => '');
      if (!candidates.some(({ field }) => text.includes(field))) continue;
      await deleteForms(path);
      deleted += 1;
    }
  }
  return deleted;
}

/**
 * Deletes chunks that no manifest names any more, and what killed processes have left.
 * @param kept paths of the chunks that the manifest names
 * @param unusedSince chunks that came out of use before this moment go; epoch milliseconds
 */
export async function sweepChunks(
  folder: string,
  kept: ReadonlySet<string>,
  unusedSince: number,
): Promise<number> {
  let deleted = 0;
  for (const list of LIST_KINDS) {
    const names = await readdir(join(folder, list)).catch(() => []);
    for (const name of names) {
      const path = join(folder, list, name);
      const plain = name.replace(/\.(?:br|gz)$/, '');
      if (kept.has(chunkPath(list, plain))) continue;
      const isForm = plain !== name && existsSync(join(folder, list, plain));
      // The compressed forms go with the file that they belong to.
      if (isForm) continue;
      const facts = await stat(path).catch(() => undefined);
      if (!facts || facts.mtimeMs > unusedSince) continue;
      await deleteForms(path);
      if (parseChunkName(name)) deleted += 1;
    }
  }
  return deleted;
}

/** Deletes what processes that were killed while they wrote have left. Only for who is the only one that writes. */
export async function sweepTemporary(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(TEMPORARY_PREFIX)) await rm(join(folder, name), { force: true });
  }
}

export async function deleteForms(path: string): Promise<void> {
  for (const form of ['', ...Object.values(FORMS)]) await rm(path + form, { force: true });
}
