/** Avatars on disk, bounded in bytes: the least recently used go first. A file's time is that of the fetch. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { besideDatabase } from '../data-files.ts';
import { IMAGE_TYPES, type ImageFormat } from './image-type.ts';

/** `none`: the platform has no picture. */
type StoredFormat = ImageFormat | 'none';

interface StoredAvatar {
  readonly format: StoredFormat;
  /** Epoch milliseconds. */
  readonly fetchedAt: number;
  readonly bytes: number;
}

export type AvatarStore = ReturnType<typeof openAvatarStore>;

/** Smallest space of a file on the disk. */
const FILE_MIN_BYTES = 4_096;

export function avatarsFolder(databasePath: string): string {
  return besideDatabase(databasePath, 'avatars');
}

/** For another process: the web process finds the file missing and fetches it again on demand. */
export function removeAvatar(folder: string, key: string): void {
  for (const format of ['none', ...Object.keys(IMAGE_TYPES)])
    rmSync(join(folder, `${key}.${format}`), { force: true });
}

/** @param report is called when the folder or a file cannot be used */
export function openAvatarStore(folder: string, bytesMax: number, report: (error: unknown) => void) {
  const fileOf = (key: string, format: StoredFormat): string => join(folder, `${key}.${format}`);
  const index = new LRUCache<string, StoredAvatar>({
    maxSize: bytesMax,
    sizeCalculation: ({ bytes }) => Math.max(FILE_MIN_BYTES, bytes),
    dispose: ({ format }, key, reason) => {
      if (reason === 'evict') rmSync(fileOf(key, format), { force: true });
    },
  });
  let writes = 0;

  try {
    mkdirSync(folder, { recursive: true });
    const files = readdirSync(folder).flatMap((name) => {
      const [, key = '', format = ''] = /^([\w-]+)\.(\w+)$/.exec(name) ?? [];
      const path = join(folder, name);
      if (format !== 'none' && !(format in IMAGE_TYPES)) {
        // A process ended while it wrote this file.
        rmSync(path, { force: true, recursive: true });
        return [];
      }
      const { size, mtimeMs, atimeMs } = statSync(path);
      return [{ key, format: format as StoredFormat, size, mtimeMs, usedAt: Math.max(mtimeMs, atimeMs) }];
    });
    files.sort((a, b) => a.usedAt - b.usedAt);
    for (const { key, format, size, mtimeMs } of files)
      index.set(key, { format, fetchedAt: mtimeMs, bytes: size });
  } catch (error) {
    report(error);
  }

  return {
    /** Counts as a use. */
    find: (key: string) => index.get(key),
    /** Undefined when the file is gone. */
    async read(key: string): Promise<Buffer | undefined> {
      const found = index.get(key);
      if (!found) return undefined;
      try {
        return await readFile(fileOf(key, found.format));
      } catch {
        if (index.peek(key) === found) index.delete(key);
        return undefined;
      }
    },
    /** Never throws: a full disk costs a picture, not an answer. */
    async write(key: string, format: StoredFormat, body: Buffer, fetchedAt: number): Promise<void> {
      const temporary = join(folder, `${key}.${(writes += 1)}.tmp`);
      try {
        await writeFile(temporary, body);
        await utimes(temporary, new Date(), new Date(fetchedAt));
        await rename(temporary, fileOf(key, format));
        const old = index.peek(key);
        index.set(key, { format, fetchedAt, bytes: body.length });
        if (old && old.format !== format) await rm(fileOf(key, old.format), { force: true });
      } catch (error) {
        report(error);
        await rm(temporary, { force: true }).catch(() => {});
      }
    },
    get bytes(): number {
      return index.calculatedSize;
    },
  };
}
