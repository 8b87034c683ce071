/** The worker deletes folders of earlier versions, and nothing else. */
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeOldFolders } from '#src/db/remove-old-folders.ts';
import { makeFolder } from '../../support/temporary-database.ts';

it('removes folders of earlier versions, old copies, and what a killed restore left hours ago', () => {
  const folder = makeFolder();
  for (const name of [
    'indexes',
    'search',
    'serving',
    '.restore-killed',
    '.restore-running',
    'before-0200',
    'before-0300',
  ])
    mkdirSync(join(folder, name));
  writeFileSync(join(folder, '.restore-killed', 'czujka.db'), 'x');
  const longAgo = new Date(Date.now() - 7 * 3_600_000);
  for (const name of ['.restore-killed', 'before-0300']) utimesSync(join(folder, name), longAgo, longAgo);
  const lastWeek = new Date(Date.now() - 169 * 3_600_000);
  utimesSync(join(folder, 'before-0200'), lastWeek, lastWeek);
  writeFileSync(join(folder, 'czujka.db'), 'x');
  removeOldFolders(join(folder, 'czujka.db'));
  expect(readdirSync(folder).toSorted()).toEqual(['.restore-running', 'before-0300', 'czujka.db']);
});
