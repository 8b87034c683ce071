import { readdirSync, readlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { removeEntry } from '#src/entries/write-entries.ts';
import { listServingFiles, markDamaged } from '#src/serving/serving-file.ts';
import { eraseRemoved } from '#src/worker/erase-removed.ts';
import { keepServing } from '../../support/keep-serving.ts';
import { importRecords, makeRecord, NOW } from '../../support/make-entries.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

/** Files beneath a folder that this process has open and that have no name any more. */
function listDeleted(folder: string): string[] {
  return readdirSync('/proc/self/fd')
    .flatMap((descriptor) => {
      try {
        return [readlinkSync(`/proc/self/fd/${descriptor}`)];
      } catch {
        // The descriptor of the list itself.
        return [];
      }
    })
    .filter((path) => path.startsWith(folder) && path.endsWith(' (deleted)'));
}

it.skipIf(process.platform !== 'linux')('keeps no file open that was replaced after an erasure', async () => {
  const db = await makeDatabase();
  const folder = dirname(db.path);
  const gone = makeRecord();
  await importRecords(db, 'scammers', [gone, makeRecord()]);
  keepServing(db);
  removeEntry(db, 'scammers', gone.id, 'other', NOW);
  expect(await eraseRemoved(db, folder)).toBe(1);
  const [replaced = ''] = listServingFiles(db.path);
  markDamaged(replaced);
  keepServing(db);
  expect(listServingFiles(db.path)).not.toContain(replaced);
  expect(await eraseRemoved(db, folder)).toBe(0);
  expect(listDeleted(folder)).toEqual([]);
  db.close();
});
