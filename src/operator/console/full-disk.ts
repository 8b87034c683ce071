/** The help for an operator whose disk is full. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from '../../db/database.ts';
import { DiskFullError, fileBytes, freeBytes, FULL_BYTES, isDiskFull, readRoom } from '../../db/disk-room.ts';
import { freeReserve } from '../../db/reserve.ts';
import { searchPath } from '../../search/search-file.ts';
import { OperatorError } from '../../operator-error.ts';
import { printNotice, type Cli } from './cli.ts';

/** With more free than this it was not the database that SQLite found no room for. */
const PLENTY_BYTES = 64 * 1024 * 1024;

/** @param error of which isDiskFull is true */
export function describeFullDisk(db: Database, error: unknown): string {
  const { free, reusable } = readRoom(db);
  const isElsewhere = !(error instanceof DiskFullError) && free > PLENTY_BYTES;
  return isElsewhere
    ? `no room on the disk of temporary files (SQLITE_TMPDIR, TMPDIR or /var/tmp)`
    : `no room on the disk of ${dirname(db.path)}: ${free + reusable} bytes are free, ${reusable} of them in the database`;
}

export function describeDeletable(databasePath: string): string {
  const search = searchPath(databasePath);
  const size = `${Math.round(fileBytes(search) / 1_000_000)} MB`;
  return `${search} (${size}) may be deleted: the worker makes it again where there is room, and searches answer 503 until then`;
}

/**
 * Tries again with the room of the reserve.
 * @param mayUse false unless the step withdraws something
 * @param step takes back what it did when it throws
 */
export async function withReserve<T>(cli: Cli, mayUse: boolean, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const isRefused = !mayUse || error instanceof OperatorError;
    if (isRefused || !freeReserveOnFullDisk(cli, isDiskFull(error))) throw error;
    return await step();
  }
}

/** @param isFull known already @returns false when there is room, or no reserve */
export function freeReserveOnFullDisk(cli: Cli, isFull = false): boolean {
  const { databasePath } = cli.config;
  const folder = dirname(databasePath);
  if (!existsSync(folder) || !(isFull || freeBytes(folder) < FULL_BYTES)) return false;
  if (!freeReserve(databasePath)) return false;
  printNotice(cli, 'the disk is full: the file "reserve" is deleted to make room for this');
  return true;
}
