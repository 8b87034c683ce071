/** What the query itself gives, whoever asks it: nothing of private proofs. */
import { expect, it } from 'vitest';
import { listPublicProofs } from '#src/proofs/list-public-proofs.ts';
import { importRecords, makeRecord } from '../../support/make-entries.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

it('lists the proofs of an entry as long as they are public', async () => {
  const db = await makeDatabase();
  const items = [{ text: 'Rozmowa z 3 maja' }, { url: 'https://przyklad.pl/zrzut' }];
  const record = (isPrivate: boolean) => ({
    ...makeRecord({ id: '1572250755006587457' }),
    proofs: { private: isPrivate, items },
  });
  const proofsId = (): string => db.statement('SELECT proofs_id FROM entries').pluck().get() as string;
  await importRecords(db, 'scammers', [record(false)]);
  expect(listPublicProofs(db, proofsId())).toHaveLength(2);
  await importRecords(db, 'scammers', [record(true)]);
  expect(listPublicProofs(db, proofsId())).toEqual([]);
});
