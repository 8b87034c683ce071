import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from './database.ts';

export class DiskFullError extends Error {
  override name = 'DiskFullError';

  constructor(folder: string) {
    super(`no room on the disk of ${folder}`);
  }
}

/** With less free, SQLite cannot make the files that it works with, and says so in many ways. */
export const FULL_BYTES = 1_000_000;

export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

export function readRoom(db: Database): { readonly free: number; readonly reusable: number } {
  const read = (name: string): number => db.connection.pragma(name, { simple: true }) as number;
  return { free: freeBytes(dirname(db.path)), reusable: read('freelist_count') * read('page_size') };
}

export function assertRoom(db: Database, bytes: number): void {
  const { free, reusable } = readRoom(db);
  if (free + reusable < bytes) throw new DiskFullError(dirname(db.path));
}

export function isDiskFull(error: unknown): boolean {
  if (error instanceof DiskFullError) return true;
  if (error instanceof AggregateError) return error.errors.some(({ cause }) => isDiskFull(cause));
  return error instanceof Error && 'code' in error && ['SQLITE_FULL', 'ENOSPC'].includes(String(error.code));
}

/** 0 for a missing file. */
export function fileBytes(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
