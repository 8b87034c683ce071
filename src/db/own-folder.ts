/** A mark in temporary folders and copies beside the database, where an operator may have folders with the same names. */
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MARK = '.made-by-czujka';
/** Version 1.0.0 made no mark, and its copies hold removed entries, too. */
const UNMARKED = /^(?:\.part-)?(?:czujka|fresh)\.db(?:-\w+)?$|^removed\.key$/;

export function markOwnFolder(folder: string): void {
  writeFileSync(join(folder, MARK), '', { mode: 0o600 });
}

/** Leaves a folder of others. The mark goes last. */
export function removeOwnFolder(folder: string): void {
  const names = statSync(folder).isDirectory() ? readdirSync(folder) : [''];
  if (!names.includes(MARK) && !names.every((name) => UNMARKED.test(name))) return;
  for (const name of names.filter((name) => name !== MARK)) rmSync(join(folder, name), { recursive: true });
  rmSync(folder, { recursive: true });
}
