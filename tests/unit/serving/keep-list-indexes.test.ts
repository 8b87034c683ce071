import { expect, it } from 'vitest';
import { removeEntry } from '#src/entries/write-entries.ts';
import { createIndexKeeper } from '#src/serving/keep-list-indexes.ts';
import { hasListIndexes } from '#src/serving/list-indexes.ts';
import { importRecords, makeRecord } from '../../support/make-entries.ts';
import { openServing } from '../../support/open-serving.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

it('puts entries into the lists first, and look-alikes are answered once their hashes are all there', async () => {
  const db = await makeDatabase();
  const name = 'Bardzo długa nazwa';
  await importRecords(db, 'scammers', [
    makeRecord({ id: 'first' }),
    ...Array.from({ length: 29 }, () => makeRecord()),
    makeRecord({ name }),
  ]);
  const keeper = createIndexKeeper(db, { shapesStep: 10 });
  const following = keeper.follow();
  expect(hasListIndexes(db)).toBe(true);
  const { serving, close } = openServing(db);
  expect(serving.count('scammers')).toBe(31);
  expect(serving.findLookAlikes(name, undefined)).toBeUndefined();
  // A change in the meantime is followed between two steps.
  removeEntry(db, 'scammers', 'first', 'mistake', Date.now());
  await following;
  await expect.poll(() => serving.count('scammers')).toBe(30);
  await expect
    .poll(() => serving.findLookAlikes(name, undefined)?.map(({ entry }) => entry.name))
    .toEqual([name]);
  expect(await keeper.follow()).toBe(false);
  await close();
});
