import { expect, it } from 'vitest';
import { createIndexUpdater } from '#src/lists/update-list-indexes.ts';
import { hasListIndexes } from '#src/lists/list-indexes.ts';
import { removeEntry } from '../../support/change-log.ts';
import { makeLists } from '../../support/make-entries.ts';
import { openLists } from '../../support/open-lists.ts';

it('puts entries into the lists first, and look-alikes are answered once their hashes are all there', async () => {
  const name = 'Bardzo długa nazwa';
  const others = Array.from({ length: 29 }, () => ({}));
  const db = await makeLists({ scammers: [{ id: 'first' }, ...others, { name }] });
  const updater = createIndexUpdater(db, { hashesStep: 10 });
  const following = updater.catchUp();
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
  expect(await updater.catchUp()).toBe(false);
  await close();
});
