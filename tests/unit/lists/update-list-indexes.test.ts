import { expect, it } from 'vitest';
import { createIndexUpdater } from '#src/lists/update-list-indexes.ts';
import { hasListIndexes } from '#src/lists/list-indexes.ts';
import { removeEntry } from '../../support/change-log.ts';
import { importRecords, makeRecord } from '../../support/make-entries.ts';
import { openLists } from '../../support/open-lists.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

it('puts entries into the lists first, and look-alikes are answered once their hashes are all there', async () => {
  const db = await makeDatabase();
  const name = 'Bardzo długa nazwa';
  await importRecords(db, 'scammers', [
    makeRecord({ id: 'first' }),
    ...Array.from({ length: 29 }, () => makeRecord()),
    makeRecord({ name }),
  ]);
  const updater = createIndexUpdater(db, { hashesStep: 10 });
  const following = updater.follow();
  expect(hasListIndexes(db)).toBe(true);
  const { lists, close } = openLists(db);
  expect(lists.count('scammers')).toBe(31);
  expect(lists.findLookAlikes(name, undefined)).toBeUndefined();
  // A change in the meantime is followed between two steps.
  removeEntry(db, 'scammers', 'first', 'mistake', Date.now());
  await following;
  await expect.poll(() => lists.count('scammers')).toBe(30);
  await expect
    .poll(() => lists.findLookAlikes(name, undefined)?.map(({ entry }) => entry.name))
    .toEqual([name]);
  expect(await updater.follow()).toBe(false);
  await close();
});
