/** That an export makes the same entries elsewhere is proven in journeys/operator/export.test.ts. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exportRecords } from '#src/entries/export-records.ts';
import { importRecords, makeLists, makeRecord } from '../../support/make-entries.ts';
import { makeImage } from '../../support/make-image.ts';
import { makeDatabase, makeFolder } from '../../support/temporary-database.ts';

it('names files of proofs as the operator did, or by a folder and their SHA-256', async () => {
  const images = makeFolder();
  writeFileSync(join(images, 'zdjęcie.png'), await makeImage(64, 40).png().toBuffer());
  const db = await makeDatabase();
  const items = [{ file: 'zdjęcie.png', caption: 'podpis' }, { text: 'słowa' }];
  const record = makeRecord({ proofs: { private: false, items } });
  await importRecords(db, 'scammers', [record], undefined, images);
  const itemsOf = (folder?: string) => [...exportRecords(db, 'scammers', folder)][0]?.proofs?.items;
  expect(itemsOf()).toEqual(items);
  const file = expect.stringMatching(/^pliki\/[0-9a-f]{64}$/) as string;
  expect(itemsOf('pliki/')).toEqual([{ file, caption: 'podpis' }, { text: 'słowa' }]);
});

it('goes on behind a page of five hundred', async () => {
  const records = Array.from({ length: 1_001 }, () => makeRecord());
  const db = await makeLists({ servers: records });
  const ids = [...exportRecords(db, 'servers')].map(({ id }) => id);
  expect(ids).toEqual(records.map(({ id }) => id));
});
