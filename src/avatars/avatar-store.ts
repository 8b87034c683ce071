/**
 * Avatars on disk, bounded in bytes: the least recently used ones go first. A file name has the key and the type, its
 * modification time is the time of the fetch. Only the web process writes here.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { IMAGE_TYPES, type ImageKind } from './image-type.ts';

/** `none`: the platform has no picture. */
export type StoredKind = ImageKind | 'none';

export interface StoredAvatar {
  readonly kind: StoredKind;
  /** Epoch milliseconds. */
  readonly fetchedAt: number;
}

export interface AvatarStore {
  /** Counts as a use. */
  find(key: string): StoredAvatar | undefined;
  /** Undefined when the file is gone. */
  read(key: string): Promise<Buffer | undefined>;
  /** Never throws: a full disk costs a picture, not an answer. */
  write(key: string, kind: StoredKind, body: Buffer, fetchedAt: number): Promise<void>;
  readonly bytes: number;
}

interface IndexEntry extends StoredAvatar {
  readonly bytes: number;
}

/** Smallest space of a file on the disk. */
const FILE_MIN_BYTES = 4_096;

export function avatarsFolder(dataFolder: string): string {
  return join(dataFolder, 'avatars');
}

/** For another process: the web process finds the file missing and fetches it again on demand. */
export function removeAvatar(folder: string, key: string): void {
  for (const kind of ['none', ...Object.keys(IMAGE_TYPES)])
    rmSync(join(folder, `${key}.${kind}`), { force: true });
}

/** @param report is called when the folder or a file cannot be used */
export function openAvatarStore(
  folder: string,
  bytesMax: number,
  report: (error: unknown) => void,
): AvatarStore {
  const index = new Map<string, IndexEntry>();
  let total = 0;
  let writes = 0;

  const fileOf = (key: string, kind: StoredKind): string => join(folder, `${key}.${kind}`);
  const drop = (key: string): void => {
    const old = index.get(key);
    if (!old) return;
    index.delete(key);
    total -= old.bytes;
  };
  const add = (key: string, kind: StoredKind, bytes: number, fetchedAt: number): void => {
    drop(key);
    const onDisk = Math.max(FILE_MIN_BYTES, bytes);
    index.set(key, { kind, fetchedAt, bytes: onDisk });
    total += onDisk;
  };
  const evict = async (): Promise<void> => {
    for (const [key, { kind }] of index) {
      if (total <= bytesMax) return;
      drop(key);
      await rm(fileOf(key, kind), { force: true });
    }
  };

  try {
    mkdirSync(folder, { recursive: true });
    const files = readdirSync(folder).flatMap((name) => {
      const [, key = '', kind = ''] = /^([\w-]+)\.(\w+)$/.exec(name) ?? [];
      const path = join(folder, name);
      if (kind !== 'none' && !(kind in IMAGE_TYPES)) {
        // A process ended while it wrote this file.
        rmSync(path, { force: true, recursive: true });
        return [];
      }
      const { size, mtimeMs, atimeMs } = statSync(path);
      return [{ key, kind: kind as StoredKind, size, mtimeMs, usedAt: Math.max(mtimeMs, atimeMs) }];
    });
    files.sort((a, b) => a.usedAt - b.usedAt);
    for (const { key, kind, size, mtimeMs } of files) add(key, kind, size, mtimeMs);
    evict().catch(report);
  } catch (error) {
    report(error);
  }

  return {
    find(key) {
      const found = index.get(key);
      if (!found) return undefined;
      index.delete(key);
      index.set(key, found);
      return found;
    },
    async read(key) {
      const found = index.get(key);
      if (!found) return undefined;
      try {
        return await readFile(fileOf(key, found.kind));
      } catch {
        if (index.get(key) === found) drop(key);
        return undefined;
      }
    },
    async write(key, kind, body, fetchedAt) {
      const temporary = join(folder, `${key}.${(writes += 1)}.tmp`);
      try {
        await writeFile(temporary, body);
        await utimes(temporary, new Date(), new Date(fetchedAt));
        await rename(temporary, fileOf(key, kind));
        const old = index.get(key);
        add(key, kind, body.length, fetchedAt);
        if (old && old.kind !== kind) await rm(fileOf(key, old.kind), { force: true });
        await evict();
      } catch (error) {
        report(error);
        await rm(temporary, { force: true }).catch(() => {});
      }
    },
    get bytes() {
      return total;
    },
  };
}
