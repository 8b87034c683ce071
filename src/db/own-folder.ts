/** A mark in temporary folders and copies beside the database, where an operator may have folders with the same names. */
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isLocked, lockForProcess } from './process-lock.ts';

export const RESTORE_PREFIX = '.restore-';
const MARK = '.made-by-czujka';
const LOCK = 'in-use.lock';
/** Version 1.0.0 made no mark, and its copies hold removed entries, too. */
const UNMARKED = /^(?:\.part-)?(?:czujka|fresh)\.db(?:-\w+)?$|^removed\.key$/;

export function markOwnFolder(folder: string): void {
  writeFileSync(join(folder, MARK), '', { mode: 0o600 });
}

/** @returns ends the use, as the end of the process does */
export function useOwnFolder(folder: string): () => void {
  // A marked folder without a lock is unused, so the lock comes first.
  const release = lockForProcess(join(folder, LOCK));
  markOwnFolder(folder);
  return () => release?.();
}

function isOwnFolder(folder: string): boolean {
  const names = statSync(folder).isDirectory() ? readdirSync(folder) : [''];
  return names.includes(MARK) || names.every((name) => UNMARKED.test(name));
}

/** Leaves a folder of others. The mark goes last. */
export function removeOwnFolder(folder: string): void {
  if (!isOwnFolder(folder)) return;
  for (const name of readdirSync(folder)) if (name !== MARK) rmSync(join(folder, name), { recursive: true });
  rmSync(folder, { recursive: true });
}

/** Folders of killed restores, with what was removed since their backups. */
export function listKilledRestores(databasePath: string): string[] {
  const folder = dirname(databasePath);
  return readdirSync(folder)
    .filter((name) => name.startsWith(RESTORE_PREFIX))
    .map((name) => join(folder, name))
    .filter((path) => isOwnFolder(path) && !isLocked(join(path, LOCK)));
}

export function removeKilledRestores(databasePath: string): void {
  try {
    for (const folder of listKilledRestores(databasePath)) removeOwnFolder(folder);
  } catch {
    // No reason to stop a verb or a start: the doctor names what stays.
  }
}
