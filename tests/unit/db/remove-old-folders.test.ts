/** What nobody reads any more goes, and nothing else. */
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeOldFolders } from '#src/db/remove-old-folders.ts';
import { makeFolder } from '../../support/temporary-database.ts';

it('removes folders of earlier versions, and what a killed restore left hours ago', () => {
  const folder = makeFolder();
  for (const name of ['indexes', 'search', 'serving', '.restore-killed', '.restore-running'])
    mkdirSync(join(folder, name));
  writeFileSync(join(folder, '.restore-killed', 'czujka.db'), 'x');
  const longAgo = new Date(Date.now() - 7 * 3_600_000);
  utimesSync(join(folder, '.restore-killed'), longAgo, longAgo);
  writeFileSync(join(folder, 'czujka.db'), 'x');
  removeOldFolders(join(folder, 'czujka.db'));
  expect(readdirSync(folder).toSorted()).toEqual(['.restore-running', 'czujka.db']);
});
