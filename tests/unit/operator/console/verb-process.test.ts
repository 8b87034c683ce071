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

/** With a folder that this mode makes writable for others, or not. */
function makeHomeWith(path: string, mode: number): string {
  const home = makeHome();
  mkdirSync(join(home, path), { recursive: true });
  chmodSync(join(home, path), mode);
  return home;
}

function makeHomeOfOther(): string {
  if (process.getuid?.() !== 0) return '/';
  const home = makeHome(0o755);
  chownSync(home, 65_534, 65_534);
  return home;
}

function makeHomeWithLink(): string {
  const home = makeHome();
  symlinkSync(makeHome(), join(home, '.cache'));
  return home;
}

it('makes a folder for compiled code that only the account may enter', () => {
  const home = makeHome(0o755);
  const folder = makeOwnFolder(home);
  expect(folder).toBe(join(home, '.cache/czujka'));
  expect(lstatSync(join(home, '.cache/czujka')).mode & 0o777).toBe(0o700);
  expect(makeOwnFolder(home)).toBe(folder);
});

it.each([
  ['a home that others may write to', () => makeHome(0o777)],
  ['a home of somebody else', makeHomeOfOther],
  ['no home', () => join(root, 'nowhere')],
  ['a folder above that a group may write to', () => makeHomeWith('.cache', 0o770)],
  ['a folder that others may write to', () => makeHomeWith('.cache/czujka', 0o777)],
  ['a link to elsewhere', makeHomeWithLink],
])('takes no compiled code from %s', (_, make) => {
  expect(makeOwnFolder(make())).toBeUndefined();
});
