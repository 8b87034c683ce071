/** Files beside the database that a reader sees whole or not at all, also after a power cut. */
import { open, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Of files that are being written; what a killed process leaves of them is nobody's. */
export const TEMPORARY_PREFIX = '.part-';

/**
 * @param folder where the file lies until it is finished: on the same disk; by default beside its place
 * @param place puts the finished file in its place; the caller may make it part of something else
 * @param mode who may read it; by default what the process's umask says
 */
export async function writeWholeFile(
  path: string,
  bytes: string | Uint8Array,
  { folder = dirname(path), place = rename, mode = 0o666 }: WriteOptions = {},
): Promise<void> {
  const temporary = join(folder, `${TEMPORARY_PREFIX}${process.pid}-${basename(path)}`);
  const file = await open(temporary, 'w', mode);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await place(temporary, path);
}

interface WriteOptions {
  readonly folder?: string;
  readonly place?: (temporary: string, path: string) => void | Promise<void>;
  readonly mode?: number;
}

/** Makes names in a folder outlast a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
