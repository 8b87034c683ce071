import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeOwnFolder } from '#src/operator/console/verb-process.ts';
import { makeFolder } from '../../../support/temporary-database.ts';

const root = makeFolder();

function makeHome(mode = 0o700): string {
  const home = mkdtempSync(join(root, 'home-'));
  chmodSync(home, mode);
  return home;
}

function makeIn(home: string, path: string, mode: number): void {
  mkdirSync(join(home, path), { recursive: true });
  chmodSync(join(home, path), mode);
}

it('makes a folder for compiled code that only the account may enter', () => {
  const home = makeHome(0o755);
  const folder = makeOwnFolder(home);
  expect(folder).toBe(join(home, '.cache/czujka'));
  expect(lstatSync(join(home, '.cache/czujka')).mode & 0o777).toBe(0o700);
  expect(makeOwnFolder(home)).toBe(folder);
});

it.each<[string, (home: string) => string | void]>([
  ['a home that others may write to', (home) => chmodSync(home, 0o777)],
  // Only root can give a folder away, and nobody else has the root of the file system.
  ['a home of somebody else', (home) => (process.getuid?.() === 0 ? chownSync(home, 65_534, 65_534) : '/')],
  ['no home', () => join(root, 'nowhere')],
  ['a folder above that a group may write to', (home) => makeIn(home, '.cache', 0o770)],
  ['a folder that others may write to', (home) => makeIn(home, '.cache/czujka', 0o777)],
  ['a link to elsewhere', (home) => symlinkSync(makeHome(), join(home, '.cache'))],
])('takes no compiled code from %s', (_, spoil) => {
  const home = makeHome();
  expect(makeOwnFolder(spoil(home) ?? home)).toBeUndefined();
});
