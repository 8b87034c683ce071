import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';

/**
 * Finds a file that a record of an import file names.
 * @returns its name in the folder of the import file, and its path without links; undefined when it leads out of the folder
 */
export function findBeside(importFile: string, name: string) {
  const folder = realpathSync(dirname(importFile));
  const path = resolve(folder, name);
  // A missing file has no real path; reading it names the problem.
  const source = existsSync(path) ? realpathSync(path) : path;
  const isOutside = isAbsolute(name) || !source.startsWith(join(folder, '/'));
  return isOutside ? undefined : { inside: relative(folder, path), source };
}
