/** A database with a handful of entries in each list, for tests that only read. */
import { updateIndexes } from './update-indexes.ts';
import { importRecords, makeRecord } from './make-entries.ts';
import { makeDatabase } from './temporary-database.ts';

/** @returns its path */
export async function makeSmallLists(): Promise<string> {
  const db = await makeDatabase();
  await importRecords(db, 'scammers', [
    makeRecord({ id: '100000000000000001', name: 'Zażółć' }),
    makeRecord({ id: '100000000000000002', name: '__proto__' }),
    makeRecord({ verified: false }),
  ]);
  await importRecords(db, 'servers', [makeRecord()]);
  await importRecords(db, 'legit', [makeRecord()]);
  await updateIndexes(db);
  return db.path;
}
