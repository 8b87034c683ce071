import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { removeParts, writeFileAtomic } from '#src/db/write-file-atomic.ts';
import { makeFolder } from '../../support/temporary-database.ts';

const WRITER = `import { writeFileAtomic } from '#src/db/write-file-atomic.ts';
  for (let at = 0; at < 50; at += 1) writeFileAtomic(process.argv[1], process.argv[2].repeat(100_000));`;

it('lets two processes write one file', async () => {
  const path = join(makeFolder(), 'file');
  const write = (text: string) =>
    promisify(execFile)(process.execPath, ['--input-type=module', '--eval', WRITER, path, text]);
  await Promise.all(['a', 'b'].map(write));
  expect(readFileSync(path, 'utf8')).toMatch(/^(?:a{100000}|b{100000})$/);
  expect(readdirSync(join(path, '..'))).toEqual(['file']);
});

it('leaves no part behind that it cannot rename, and those of killed processes can be removed', () => {
  const folder = makeFolder();
  const parts = (): string[] => readdirSync(folder).filter((file) => file.startsWith('.part-'));
  mkdirSync(join(folder, 'taken'));
  expect(() => writeFileAtomic(join(folder, 'taken'), 'text')).toThrow();
  expect(parts()).toEqual([]);
  const others = [`.part-${process.ppid}-file`, '.part-of-a-film.mp4'];
  // No process has this number.
  for (const file of ['.part-4194305-file', ...others]) writeFileSync(join(folder, file), 'x');
  removeParts(folder);
  expect(parts().toSorted()).toEqual(others.toSorted());
});
