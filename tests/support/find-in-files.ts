import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @returns each mark that a file below the folder holds, with the file */
export function findInFiles(folder: string, marks: readonly string[]): string[] {
  return globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ parentPath, name }) => {
      const path = join(parentPath, name);
      // A file may go while others are read.
      const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
      return marks.filter((mark) => bytes.includes(mark)).map((mark) => `${mark} in ${path}`);
    });
}
