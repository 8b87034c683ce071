/** A database with a handful of entries in each list, for tests that only read. */
import { updateIndexes } from './update-indexes.ts';
import { makeLists } from './make-entries.ts';

export async function makeSmallLists(): Promise<string> {
  const db = await makeLists({
    scammers: [
      { id: '100000000000000001', name: 'Zażółć' },
      { id: '100000000000000002', name: '__proto__' },
      { verified: false },
    ],
    servers: [{}],
    legit: [{}],
  });
  await updateIndexes(db);
  return db.path;
}
