/** A mark in temporary folders and copies beside the database, where an operator may have folders with the same names. */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MARK = '.made-by-czujka';

export function markOwnFolder(folder: string): void {
  writeFileSync(join(folder, MARK), '', { mode: 0o600 });
}

/** Leaves a folder without the mark, which goes last. */
export function removeOwnFolder(folder: string): void {
  if (!existsSync(join(folder, MARK))) return;
  for (const name of readdirSync(folder).filter((name) => name !== MARK))
    rmSync(join(folder, name), { recursive: true });
  rmSync(folder, { recursive: true });
}
