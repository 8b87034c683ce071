/** Room on the disk of a database, looked for before something large is written. */
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from './database.ts';

/** Thrown before the disk is full. */
export class DiskFullError extends Error {
  override name = 'DiskFullError';

  constructor(folder: string) {
    super(`no room on the disk of ${folder}`);
  }
}

export interface Room {
  /** On the disk, for whoever may not touch what is reserved for root. */
  readonly free: number;
  /** In the file, in pages that hold nothing. */
  readonly reusable: number;
}

/** All in bytes. */
export function readRoom(db: Database): Room {
  const read = (name: string): number => db.connection.pragma(name, { simple: true }) as number;
  const { bavail, bsize } = statfsSync(dirname(db.path));
  return { free: bavail * bsize, reusable: read('freelist_count') * read('page_size') };
}

/** @throws {DiskFullError} when fewer bytes are free */
export function assertRoom(db: Database, bytes: number): void {
  const { free, reusable } = readRoom(db);
  if (free + reusable < bytes) throw new DiskFullError(dirname(db.path));
}

/** Whether a disk is the reason, that of the database or another one. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof DiskFullError) return true;
  return error instanceof Error && 'code' in error && ['SQLITE_FULL', 'ENOSPC'].includes(String(error.code));
}
