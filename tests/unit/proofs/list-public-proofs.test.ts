/** The query itself selects nothing of private proofs. */
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { PROOFS } from '#src/components/proofs/proofs-texts.ts';
import type { Database } from '#src/db/database.ts';
import { listPublicProofs, summarizeProofs } from '#src/proofs/list-public-proofs.ts';
import { importRecords, makeRecord, unverifyTrusted } from '../../support/make-entries.ts';
import { makeImage } from '../../support/make-image.ts';
import { plain } from '../../support/page-text.ts';
import { makeDatabase, makeFolder } from '../../support/temporary-database.ts';

const ID = '1572250755006587457';
const folder = makeFolder();
const files = ['1.png', '2.png', '3.png', '4.png'];
let db: Database;

beforeAll(async () => {
  db = await makeDatabase();
  for (const [place, file] of files.entries()) await makeImage(600 + place, 300).toFile(join(folder, file));
});

async function importProofs(isPrivate: boolean, list: 'scammers' | 'legit' = 'scammers'): Promise<string> {
  const items = [
    { text: 'Rozmowa z 3 maja' },
    ...files.map((file) => ({ file })),
    { url: 'https://przyklad.pl/zrzut', text: 'Link' },
  ];
  const record = { ...makeRecord({ id: ID }), proofs: { private: isPrivate, items } };
  await importRecords(db, list, [record], undefined, folder);
  return db.statement('SELECT proofs_id FROM entries WHERE list = ?').pluck().get(list) as string;
}

it('lists and sums up the proofs of an entry as long as they are public', async () => {
  const proofsId = await importProofs(false);
  expect(listPublicProofs(db, proofsId)).toHaveLength(6);
  const summary = summarizeProofs(db, proofsId);
  expect(summary).toMatchObject({ total: 6, counts: { file: 4, url: 1, text: 1 } });
  expect(summary?.pictures).toMatchObject(Array(2).fill({ format: 'webp', width: 480 }));
  expect(plain(PROOFS.see({ file: 4, url: 1, text: 1 }))).toBe('Zobacz 4 zrzuty ekranu, link i opis');
  await importProofs(true);
  expect(listPublicProofs(db, proofsId)).toEqual([]);
  expect(summarizeProofs(db, proofsId)).toBeUndefined();
});

it('gives nothing of an entry that is not public', async () => {
  const proofsId = await importProofs(false, 'legit');
  expect(summarizeProofs(db, proofsId)).toBeDefined();
  unverifyTrusted(db, ID);
  expect(summarizeProofs(db, proofsId)).toBeUndefined();
});
