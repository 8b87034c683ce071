import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readLogHead, renewLogId } from '#src/changes/change-log.ts';
import {
  replaceRemovalEvents,
  listLogs,
  listRemovalEvents,
  unknownRemovalEvents,
} from '#src/removals/removals.ts';
import { openDatabase, type Database } from '#src/db/database.ts';
import { appendChange, recordRemoval } from '../../support/change-log.ts';
import { makeDatabase, makeFolder } from '../../support/temporary-database.ts';

function remove(db: Database, entry_id: string): void {
  db.write(() => {
    appendChange(db, { at: 1, op: 'removed', list: 'scammers', entry_id });
    recordRemoval(db, { at: 1, list: 'scammers', entry_id, what: 'entry', reason_code: 'other' });
  });
}

function unknownTo(db: Database, other: Database): string[] {
  return unknownRemovalEvents(db, listRemovalEvents(other)).map(({ entry_id }) => entry_id);
}

it('removals of a database and of one that goes on from its backup are never mistaken for each other', async () => {
  const db = await makeDatabase();
  remove(db, 'a');
  const path = join(makeFolder(), 'czujka.db');
  await db.connection.backup(path);
  using restored = openDatabase(path, 'write');
  expect(unknownTo(restored, db)).toEqual([]);
  const logs = listLogs(restored);
  restored.write((tx) => renewLogId(tx));
  restored.write((tx) => replaceRemovalEvents(tx, listRemovalEvents(tx), logs));
  expect(listLogs(restored)).toEqual([readLogHead(restored).logId, readLogHead(db).logId]);
  remove(db, 'b');
  remove(restored, 'c');
  // Both gave the same numbers.
  const [numbers, others] = [db, restored].map((one) => listRemovalEvents(one).map(({ change }) => change));
  expect(numbers).toEqual(others);
  expect(unknownTo(restored, db)).toEqual(['b']);
  expect(unknownTo(db, restored)).toEqual(['c']);
  // The same entry once more: the newest counts.
  remove(db, 'a');
  expect(unknownTo(restored, db)).toEqual(['b', 'a']);
  expect(unknownTo(db, db)).toEqual([]);
});
