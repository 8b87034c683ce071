/** The worker deletes what a killed restore and an old migration left, and nothing else. */
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeOldCopies } from '#src/db/migration-copy.ts';
import { markOwnFolder, removeKilledRestores, useOwnFolder } from '#src/db/own-folder.ts';
import { makeFolder } from '../../support/temporary-database.ts';

it('removes old copies and what a killed restore left, and no folder of the operator', () => {
  const folder = makeFolder();
  for (const name of [
    ...['indexes', 'search', 'serving', 'views', '.restore-killed', '.restore-mine', '.restore-running'],
    ...['before-0200', 'before-0300', 'before-0309', 'before-0400', 'before-2024'],
  ]) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'czujka.db'), 'x');
  }
  for (const name of ['.restore-mine', 'before-2024', 'views'])
    writeFileSync(join(folder, name, 'of-the-operator'), 'x');
  for (const name of ['.restore-killed', 'before-0200', 'before-0300', 'before-0400'])
    markOwnFolder(join(folder, name));
  const release = useOwnFolder(join(folder, '.restore-running'));
  const lastWeek = new Date(Date.now() - 169 * 3_600_000);
  // Version 1.0.0 made before-0309, without a mark.
  for (const name of ['before-0200', 'before-0309', 'before-2024', 'views'])
    utimesSync(join(folder, name), lastWeek, lastWeek);
  writeFileSync(join(folder, 'czujka.db'), 'x');
  const ahead = new Date(Date.now() + 1_500 * 86_400_000);
  const copy = join(folder, 'before-0400');
  utimesSync(copy, ahead, ahead);
  const edge = Date.now();
  const databasePath = join(folder, 'czujka.db');
  removeOldCopies(databasePath, { edge, latest: edge, isBelieved: false });
  expect(statSync(copy).mtimeMs).toBe(ahead.getTime());
  removeOldCopies(databasePath, { edge, latest: edge, isBelieved: true });
  // The first look must not release the lock.
  for (const _look of [1, 2]) removeKilledRestores(databasePath);
  // It was made under a wrong clock, and stays for seven days from now.
  expect(statSync(copy).mtimeMs).toBeCloseTo(edge, -1);
  expect(readdirSync(folder).toSorted()).toEqual([
    ...['.restore-mine', '.restore-running', 'before-0300', 'before-0400', 'before-2024', 'czujka.db'],
    ...['indexes', 'search', 'serving', 'views'],
  ]);
  release();
  removeKilledRestores(databasePath);
  expect(readdirSync(folder)).not.toContain('.restore-running');
});
