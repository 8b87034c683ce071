/**
 * Files that the worker makes from the entries and the web process reads: a header that says what the file holds for,
 * then its bytes. A new file is made whole beside the old one and takes its place by renaming; what a killed process
 * left half made is removed.
 */
import { once } from 'node:events';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import type { Database } from '../db/database.ts';
import { INDEX_FOLDER } from './list-indexes/index-files.ts';

/** What is kept of a file, by whoever makes it. */
export interface KeepFileOptions {
  readonly db: Database;
  readonly signal: AbortSignal;
  /** The last change whose texts were erased already; undefined: take nothing for granted, read the whole file. */
  readonly erasedTo: number | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** @returns what was done, for the log; safe to run again at any time, but not beside another run */
export type KeepFile = (options: KeepFileOptions) => Promise<object>;

export const HEADER_BYTES = 1_024;
const HALF_MADE = '.part';

/**
 * Makes a complete file of another name beside the path; the caller gives it its place by renaming it. Nothing of it
 * stays when that fails: a disk that is full must not be kept full.
 * @param made names it
 * @returns its path
 */
export function writeBeside(path: string, made: string, write: (file: number) => void): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${made}${HALF_MADE}`;
  const file = openSync(temporary, 'wx', 0o600);
  try {
    write(file);
    fsyncSync(file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  return temporary;
}

/** Beside the database, with the list indexes. */
export function derivedFilePath(databasePath: string, name: string): string {
  return join(dirname(databasePath), INDEX_FOLDER, name);
}

/** @param made why the file was made anew, if it was. @returns what the log is told */
export function reportKept(made: string | undefined, entries: number, erased: number): object {
  return { ...(made !== undefined && { made, entries }), ...(erased > 0 && { erased }) };
}

/** Whether a file of this size may be written again without writing more than so many bytes a second. */
export function mayWriteAgain(madeAt: number, bytes: number, bytesPerSecond: number, now: number): boolean {
  return now < madeAt || (now - madeAt) / 1_000 >= bytes / bytesPerSecond;
}

/** @param format name and version of the format, without characters that mean something in a pattern */
export function encodeHeader(format: string, header: object): Buffer {
  const facts = JSON.stringify(header);
  const bytes = Buffer.alloc(HEADER_BYTES, ' ');
  bytes.write(`${format} ${crc32(facts)} ${facts}`);
  return bytes;
}

/** Undefined when it is not the header of such a file. */
export function decodeHeader<Header>(format: string, bytes: Buffer): Header | undefined {
  const [, check, facts = ''] = new RegExp(`^${format} (\\d+) (\\{.*\\}) *$`).exec(bytes.toString()) ?? [];
  return crc32(facts) === Number(check) ? (JSON.parse(facts) as Header) : undefined;
}

/** Removes half-made files that a killed process left: they hold names and texts. */
export function removeHalfMade(path: string): void {
  try {
    for (const name of readdirSync(dirname(path))) {
      if (name.startsWith(basename(path)) && name.endsWith(HALF_MADE))
        rmSync(join(dirname(path), name), { force: true });
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/**
 * Lets a thread make the file and puts it in its place; what an earlier run left half made is removed by the caller.
 * @param thread gets `databasePath` as its data, and answers with the path of what it has made
 */
export async function makeInThread(
  path: string,
  thread: URL,
  databasePath: string,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const maker = new Worker(thread, { workerData: { databasePath } });
  const end = (): void => void maker.terminate();
  signal.addEventListener('abort', end, { once: true });
  try {
    const [temporary] = (await once(maker, 'message', { signal })) as [string];
    try {
      signal.throwIfAborted();
      renameSync(temporary, path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  } finally {
    signal.removeEventListener('abort', end);
    await maker.terminate();
  }
  syncFolder(dirname(path));
}

/** The new name of a file outlives a power cut only when its folder is written too. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

export function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done);
}

export function bytesOf(numbers: Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
