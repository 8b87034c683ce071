/** That an export makes the same entries elsewhere is proven in journeys/operator/export.test.ts. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportRecords } from '#src/entries/export-records.ts';
import { importRecords, makeLists, makeRecord } from '../../support/make-entries.ts';
import { makeImage } from '../../support/make-image.ts';
import { makeDatabase, makeFolder } from '../../support/temporary-database.ts';

describe('an export', () => {
  it('names files of proofs as it is told, and leaves out those that it may not name', async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'zdjęcie.png'), await makeImage(64, 40).png().toBuffer());
    const db = await makeDatabase();
    const items = [{ file: 'zdjęcie.png', caption: 'podpis' }, { text: 'słowa' }];
    const record = makeRecord({ proofs: { private: false, items } });
    await importRecords(db, 'scammers', [record], undefined, folder);
    const itemsOf = (file: string | undefined) =>
      [...exportRecords(db, 'scammers', () => file)][0]?.proofs?.items;
    expect(itemsOf('plik.png')).toEqual([{ file: 'plik.png', caption: 'podpis' }, { text: 'słowa' }]);
    expect(itemsOf(undefined)).toEqual([{ text: 'słowa' }]);
  });

  it('goes on behind a page of five hundred', async () => {
    const records = Array.from({ length: 1_001 }, () => makeRecord());
    const db = await makeLists({ servers: records });
    const ids = [...exportRecords(db, 'servers', () => undefined)].map(({ id }) => id);
    expect(ids).toEqual(records.map(({ id }) => id));
  });
});
