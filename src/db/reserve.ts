/** Room on the disk that is given up when something is to be removed and the disk is full. */
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { besideDatabase } from '../data-files.ts';
import { fileBytes, freeBytes } from './disk-room.ts';
import { writeFileAtomic } from './write-file-atomic.ts';

const RESERVE_BYTES = 32 * 1024 * 1024;
/** On a smaller rest of the disk, others need the room. */
const FREE_MIN_BYTES = 4 * RESERVE_BYTES;

function reservePath(databasePath: string): string {
  return besideDatabase(databasePath, 'reserve');
}

export function makeReserve(databasePath: string): void {
  const path = reservePath(databasePath);
  if (existsSync(path)) return;
  // Random bytes, because file systems store zeros without taking room for them.
  if (freeBytes(dirname(path)) >= FREE_MIN_BYTES) writeFileAtomic(path, randomBytes(RESERVE_BYTES));
}

/** @returns false when there is none; a file of another size is not ours */
export function freeReserve(databasePath: string): boolean {
  const path = reservePath(databasePath);
  if (fileBytes(path) !== RESERVE_BYTES) return false;
  rmSync(path);
  return true;
}
