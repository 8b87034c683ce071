/**
 * Avatars on disk, beside the database, up to a number of bytes: what was asked for least recently goes first. A file's
 * name tells whose it is and of what type; its time, when it was fetched. Only the web process writes here.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { IMAGE_TYPES } from './image-type.ts';
import type { ImageKind } from './image-type.ts';

/** `none`: it is known that there is no picture. */
export type StoredKind = ImageKind | 'none';

export interface StoredAvatar {
  readonly kind: StoredKind;
  /** Epoch milliseconds. */
  readonly fetchedAt: number;
}

export interface AvatarStore {
  /** Counts as a use. */
  find(key: string): StoredAvatar | undefined;
  /** Undefined when the file has gone meanwhile. */
  read(key: string): Promise<Buffer | undefined>;
  /** Replaces the earlier one. Never throws: a full disk costs a picture, not an answer. */
  write(key: string, kind: StoredKind, body: Buffer, fetchedAt: number): Promise<void>;
  readonly bytes: number;
}

interface Held extends StoredAvatar {
  readonly bytes: number;
}

/** The least room of a file on the disk. */
const FILE_MIN_BYTES = 4_096;

export function avatarsFolder(dataFolder: string): string {
  return join(dataFolder, 'avatars');
}

/** For another process: the one that has the store open finds the file missing, and fetches it again when it is asked for. */
export function removeAvatar(folder: string, key: string): void {
  for (const kind of ['none', ...Object.keys(IMAGE_TYPES)])
    rmSync(join(folder, `${key}.${kind}`), { force: true });
}

/** @param report told when the folder or a file cannot be used */
export function openAvatarStore(
  folder: string,
  bytesMax: number,
  report: (error: unknown) => void,
): AvatarStore {
  const held = new Map<string, Held>();
  let total = 0;
  let writes = 0;

  const fileOf = (key: string, kind: StoredKind): string => join(folder, `${key}.${kind}`);
  const drop = (key: string): void => {
    const old = held.get(key);
    if (!old) return;
    held.delete(key);
    total -= old.bytes;
  };
  const hold = (key: string, kind: StoredKind, bytes: number, fetchedAt: number): void => {
    drop(key);
    const onDisk = Math.max(FILE_MIN_BYTES, bytes);
    held.set(key, { kind, fetchedAt, bytes: onDisk });
    total += onDisk;
  };
  const evict = async (): Promise<void> => {
    for (const [key, { kind }] of held) {
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
        // Left by a process that was ended while it wrote.
        rmSync(path, { force: true, recursive: true });
        return [];
      }
      const { size, mtimeMs, atimeMs } = statSync(path);
      return [{ key, kind: kind as StoredKind, size, mtimeMs, usedAt: Math.max(mtimeMs, atimeMs) }];
    });
    files.sort((a, b) => a.usedAt - b.usedAt);
    for (const { key, kind, size, mtimeMs } of files) hold(key, kind, size, mtimeMs);
    evict().catch(report);
  } catch (error) {
    report(error);
  }

  return {
    find(key) {
      const found = held.get(key);
      if (!found) return undefined;
      held.delete(key);
      held.set(key, found);
      return found;
    },
    async read(key) {
      const found = held.get(key);
      if (!found) return undefined;
      try {
        return await readFile(fileOf(key, found.kind));
      } catch {
        if (held.get(key) === found) drop(key);
        return undefined;
      }
    },
    async write(key, kind, body, fetchedAt) {
      const temporary = join(folder, `${key}.${(writes += 1)}.tmp`);
      try {
        await writeFile(temporary, body);
        await utimes(temporary, new Date(), new Date(fetchedAt));
        await rename(temporary, fileOf(key, kind));
        const old = held.get(key);
        hold(key, kind, body.length, fetchedAt);
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
