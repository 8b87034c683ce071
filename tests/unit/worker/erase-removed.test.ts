import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { removeEntry } from '#src/entries/write-entries.ts';
import { searchPath } from '#src/search/search-file.ts';
import { eraseRemoved } from '#src/worker/erase-removed.ts';
import { updateIndexes } from '../../support/update-indexes.ts';
import { importRecords, makeRecord, NOW } from '../../support/make-entries.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

it('takes a removed entry out of what a worker that does not run has derived of it', async () => {
  const db = await makeDatabase();
  const folder = dirname(db.path);
  const gone = makeRecord({ name: 'zniknie', reason: 'Przepadnie.' });
  await importRecords(db, 'scammers', [gone, makeRecord()]);
  await updateIndexes(db);
  removeEntry(db, 'scammers', gone.id, 'other', NOW);
  expect(await eraseRemoved(db, folder)).toBe(1);
  const names = db.statement('SELECT names FROM list_indexes WHERE names IS NOT NULL').pluck().all();
  expect(Buffer.concat(names as Buffer[]).toString()).not.toContain('znik');
  for (const path of [db.path, searchPath(db.path)])
    for (const end of ['', '-wal'])
      for (const text of ['zniknie', 'przepadnie'])
        expect(readFileSync(path + end, { flag: 'a+' }).includes(text), `${text} in ${path}${end}`).toBe(
          false,
        );
  expect(await eraseRemoved(db, folder)).toBe(0);
});
