/**
 * The files that chunks lie in, in the worker. A file is written by one process only, and only at its end: a worker
 * that was stopped, lost its lease and wakes up can write into nobody else's bytes. Names are never used again.
 */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

export const INDEX_FOLDER = 'indexes';
const FILE_SUFFIX = '.chunks';
const ZEROS = Buffer.alloc(1024 * 1024);

export interface IndexFile {
  readonly name: string;
  readonly bytes: number;
  /** @throws when the bytes are not there */
  read(offset: number, length: number): Buffer;
  /** At its end; only for a file that this process has created. @returns where it begins */
  append(parts: readonly Uint8Array[]): number;
  /** What was appended survives a power cut. */
  sync(): void;
  erase(offset: number, length: number): void;
  close(): void;
}

export function createIndexFile(folder: string): IndexFile {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = `${randomUUID()}${FILE_SUFFIX}`;
  return wrap(name, openSync(join(folder, name), 'wx+', 0o600));
}

/** @throws when it is not there */
export function openIndexFile(folder: string, name: string): IndexFile {
  return wrap(name, openSync(join(folder, name), 'r+'));
}

/** Removes files that nothing refers to: what a killed worker had begun, and what was copied elsewhere. */
export function removeOtherFiles(folder: string, kept: ReadonlySet<string>): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (name.endsWith(FILE_SUFFIX) && !kept.has(name)) rmSync(join(folder, name), { force: true });
  }
}

function wrap(name: string, fd: number): IndexFile {
  let end = fstatSync(fd).size;
  return {
    name,
    get bytes() {
      return end;
    },
    read(offset, length) {
      // A memory of its own, so that tables of numbers can be laid over it.
      const bytes = Buffer.from(new ArrayBuffer(length));
      if (readSync(fd, bytes, 0, length, offset) !== length) throw new Error(`${name} is too short`);
      return bytes;
    },
    append(parts) {
      const begin = end;
      const bytes = Buffer.concat(parts);
      for (let written = 0; written < bytes.length;) {
        written += writeSync(fd, bytes, written, bytes.length - written, begin + written);
      }
      end += bytes.length;
      return begin;
    },
    sync: () => fdatasyncSync(fd),
    erase(offset, length) {
      for (let done = 0; done < length; done += ZEROS.length) {
        writeSync(fd, ZEROS, 0, Math.min(ZEROS.length, length - done), offset + done);
      }
    },
    close: () => closeSync(fd),
  };
}
