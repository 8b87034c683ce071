/**
 * A chunk contains the public entries of a list whose `_id` begins with the same 0 to 3 hexadecimal digits. Its name
 * contains these digits and the SHA-256 of its bytes, so a file never changes.
 */
import { hash } from 'node:crypto';
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '../../db/write-file-atomic.ts';
import { LIST_KINDS, type ListKind } from '../entry.ts';
import { snapshotsFolder, type ManifestChunk } from './manifest.ts';

export const CHUNK_NAME = /^h([0-9a-f]{0,3})-[0-9a-f]{64}\.json$/;
export const CHUNK_RETENTION_MS = 24 * 3_600_000;
export const PUBLIC_MODE = 0o666;

/** Empty for another file. */
export function digitsOf(name: string): string {
  return CHUNK_NAME.exec(name)?.[1] ?? '';
}

export function writeChunk(
  folder: string,
  list: ListKind,
  digits: string,
  items: readonly string[],
): ManifestChunk {
  const body = Buffer.from(`[${items.join(',\n')}]\n`);
  const sha256 = hash('sha256', body);
  const chunk = {
    path: `/snapshots/${list}/h${digits}-${sha256}.json`,
    sha256,
    bytes: body.length,
    entries: items.length,
  };
  writeFileAtomic(chunkFile(folder, chunk.path), body, PUBLIC_MODE);
  return chunk;
}

/** Restarts CHUNK_RETENTION_MS. The file may be missing. */
export async function renewChunk(folder: string, path: string): Promise<void> {
  const now = new Date();
  await utimes(chunkFile(folder, path), now, now).catch(() => {});
}

/** @param path in the URL */
export function chunkFile(folder: string, path: string): string {
  return join(folder, ...path.split('/').slice(2));
}

export interface RemovedEntry {
  readonly list: string;
  readonly entry_id: string;
}

/** Deletes chunks with these entries, even from the manifest: clients get 410 until the next publication. */
export function eraseFromSnapshots(
  databasePath: string,
  removed: readonly RemovedEntry[],
  kept: ReadonlySet<string> = new Set(),
): Promise<number> {
  return deleteChunks(snapshotsFolder(databasePath), kept, async (list, name, path) => {
    const digits = digitsOf(name);
    const removedHere = removed.filter((entry) => entry.list === list && entry.entry_id.startsWith(digits));
    const text = removedHere.length === 0 ? '' : await readFile(path, 'utf8').catch(() => '');
    return removedHere.some(({ entry_id }) => text.includes(`"_id":"${entry_id}"`));
  });
}

/** Deletes chunks that were not used since a time, and files of killed processes. */
export function sweepChunks(folder: string, kept: ReadonlySet<string>, unusedSince: number): Promise<number> {
  return deleteChunks(folder, kept, async (_list, _name, path) => {
    const { mtimeMs = undefined } = (await stat(path).catch(() => undefined)) ?? {};
    // One of the future was used before the clock was set back.
    return mtimeMs !== undefined && (mtimeMs <= unusedSince || mtimeMs > Date.now() + CHUNK_RETENTION_MS);
  });
}

async function deleteChunks(
  folder: string,
  kept: ReadonlySet<string>,
  isGone: (list: ListKind, name: string, path: string) => Promise<boolean>,
): Promise<number> {
  let deleted = 0;
  for (const list of LIST_KINDS) {
    for (const name of await readdir(join(folder, list)).catch(() => [])) {
      const path = join(folder, list, name);
      if (kept.has(`/snapshots/${list}/${name}`) || !(await isGone(list, name, path))) continue;
      await rm(path, { force: true });
      deleted += 1;
    }
  }
  return deleted;
}
