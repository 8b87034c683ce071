/**
 * Room on the disk of a database, looked for before something large is written: on a disk that is full nothing can be
 * deleted either, and what is in the WAL cannot move into the file.
 */
import { statfsSync, statSync } from 'node:fs';
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
  /** By which the file will be longer when all that is committed, or written by the open transaction, is in it. */
  readonly growth: number;
}

/** All in bytes. */
export function readRoom(db: Database): Room {
  const read = (name: string): number => db.connection.pragma(name, { simple: true }) as number;
  const pageSize = read('page_size');
  const { bavail, bsize } = statfsSync(dirname(db.path));
  return {
    free: bavail * bsize,
    reusable: read('freelist_count') * pageSize,
    growth: Math.max(0, read('page_count') * pageSize - statSync(db.path).size),
  };
}

export interface RoomNeeded {
  /** Bytes that the WAL will take. */
  readonly wal: number;
  /** Bytes of the file, beside those that it will grow by anyway. */
  readonly file: number;
  /** Bytes that have to stay. */
  readonly spare: number;
}

/** @throws {DiskFullError} */
export function assertRoom(db: Database, { wal, file, spare }: RoomNeeded): void {
  const { free, reusable, growth } = readRoom(db);
  const isShort = free < wal + spare || free + reusable < wal + file + growth + spare;
  if (isShort) throw new DiskFullError(dirname(db.path));
}

/** Whether a disk is the reason, that of the database or another one. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof DiskFullError) return true;
  return error instanceof Error && 'code' in error && ['SQLITE_FULL', 'ENOSPC'].includes(String(error.code));
}
