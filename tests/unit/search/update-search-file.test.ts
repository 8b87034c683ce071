import { expect, it } from 'vitest';
import { openSearchFile, searchPath } from '#src/search/search-file.ts';
import { createSearchUpdater } from '#src/search/update-search-file.ts';
import { importRecords, makeLists, makeRecord } from '../../support/make-entries.ts';

it('says how far it came together with the texts, so that a step that is cut off is repeated', async () => {
  const db = await makeLists({ scammers: [{}] });
  using updater = createSearchUpdater(db);
  await updater.catchUp();
  using file = openSearchFile(searchPath(db.path), 'write');
  file.connection.exec("CREATE TRIGGER cut BEFORE INSERT ON texts BEGIN SELECT RAISE(ABORT, 'cut off'); END");
  await importRecords(db, 'scammers', [makeRecord()]);
  await expect(updater.catchUp()).rejects.toThrow('cut off');
  file.connection.exec('DROP TRIGGER cut');
  await updater.catchUp();
  expect(file.statement('SELECT count(*) FROM texts').pluck().get()).toBe(2);
});
