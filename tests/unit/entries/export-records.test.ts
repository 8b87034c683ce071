/** An export equals its import, and makes the same entries elsewhere. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportRecords } from '#src/entries/export-records.ts';
import type { ImportRecordInput } from '#src/entries/import-record.ts';
import { importRecords, makeRecord } from '../../support/make-entries.ts';
import { makeImage } from '../../support/make-image.ts';
import { makeDatabase, makeFolder } from '../../support/temporary-database.ts';

const REPORTED_AT = '2026-11-19T16:05:00.000Z';

/** As an export writes it. */
function whole(facts: Partial<ImportRecordInput>): ImportRecordInput {
  return {
    ...makeRecord({ reportedAt: REPORTED_AT }),
    reportId: `R-${String(facts.name).padEnd(10, '0')}`,
    views: 3,
    ...facts,
  };
}

describe('an export', () => {
  it('says of each entry what its import said, in the order of the imports', async () => {
    const records = [
      whole({ name: 'A' }),
      whole({ name: 'B', verified: false }),
      whole({
        name: 'D',
        proofs: {
          private: false,
          items: [
            { text: 'słowa', caption: 'podpis' },
            { url: 'https://example.org/' },
            { text: 'a', url: 'https://example.org/b' },
          ],
        },
      }),
      whole({ name: 'E', proofs: { private: true, items: [{ text: 'nie dla wszystkich' }] } }),
    ];
    const db = await makeDatabase();
    const empty = { private: false, items: [] };
    await importRecords(db, 'scammers', [{ ...(records[0] as ImportRecordInput), proofs: empty }]);
    await importRecords(db, 'scammers', records.slice(1));
    await importRecords(db, 'legit', [whole({ name: 'F' })]);
    const exported = [...exportRecords(db, 'scammers', () => undefined)];
    expect(exported).toEqual(records);
    expect(exported[0]).not.toHaveProperty('proofs');

    const copy = await makeDatabase();
    await importRecords(copy, 'scammers', exported);
    expect([...exportRecords(copy, 'scammers', () => undefined)]).toEqual(exported);
  });

  it('names files of proofs as it is told, and leaves out those that it may not name', async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'zdjęcie.png'), await makeImage(64, 40).png().toBuffer());
    const db = await makeDatabase();
    const items = [{ file: 'zdjęcie.png', caption: 'podpis' }, { text: 'słowa' }];
    await importRecords(
      db,
      'scammers',
      [whole({ name: 'A', proofs: { private: false, items } })],
      undefined,
      folder,
    );
    const itemsOf = (file: string | undefined) =>
      [...exportRecords(db, 'scammers', () => file)][0]?.proofs?.items;
    expect(itemsOf('plik.png')).toEqual([{ file: 'plik.png', caption: 'podpis' }, { text: 'słowa' }]);
    expect(itemsOf(undefined)).toEqual([{ text: 'słowa' }]);
  });

  it('goes on behind a page of five hundred', async () => {
    const db = await makeDatabase();
    const records = Array.from({ length: 1_001 }, () => makeRecord());
    await importRecords(db, 'servers', records);
    const ids = [...exportRecords(db, 'servers', () => undefined)].map(({ id }) => id);
    expect(ids).toEqual(records.map(({ id }) => id));
  });
});
