/** What the reader of the serving file says while the database fails. */
import { expect, it, vi } from 'vitest';
import { ServingReader } from '#src/serving/serving-reader.ts';
import { keepServing } from '../../support/keep-serving.ts';
import { importRecords, makeRecord } from '../../support/make-entries.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

it('a look that failed is not taken for one that has seen the data', async () => {
  const db = await makeDatabase();
  await importRecords(db, 'scammers', [makeRecord()]);
  keepServing(db);
  const reader = new ServingReader(db, () => {});
  expect(reader.look()).toBe('ready');
  db.connection.exec('ALTER TABLE changes RENAME TO changes_gone');

  const look = (): unknown => reader.look();
  await vi.waitFor(() => expect(look).toThrow(/no such table/), { interval: 1 });
  // Sooner than what was seen would cease to be fresh.
  expect(look).toThrow(/no such table/);
  reader.close();
});
