import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { listEntries } from '#src/operator/list-entries.ts';
import { deleteTexts, openSearchFile, searchPath } from '#src/search/search-file.ts';
import { createSearchUpdater } from '#src/search/update-search-file.ts';
import { importRecords, makeLists, makeRecord } from '../../support/make-entries.ts';

it('searches in the file of searches, and in the entries that are newer or where it is damaged', async () => {
  const db = await makeLists({ scammers: [makeRecord({ name: 'Żółw' }), makeRecord({ name: 'żółwik' })] });
  using search = createSearchUpdater(db);
  await search.catchUp();
  const find = (): string[] => {
    const query = { search: 'ZOLW', status: 'all', skip: 0, limit: 9 } as const;
    return listEntries(db, 'scammers', query).entries.map(({ name }) => name);
  };
  const [first, second] = find();
  expect(new Set([first, second])).toEqual(new Set(['Żółw', 'żółwik']));

  const { entries } = listEntries(db, 'scammers', { status: 'all', skip: 0, limit: 1 });
  {
    using file = openSearchFile(searchPath(db.path), 'write');
    deleteTexts(file, entries[0]?._id ?? '');
  }
  expect(find()).toEqual([second]);
  await importRecords(db, 'scammers', [makeRecord({ name: 'nowy żółw' })]);
  expect(new Set(find())).toEqual(new Set([second, 'nowy żółw']));
  writeFileSync(searchPath(db.path), 'damaged');
  expect(new Set(find())).toEqual(new Set([first, second, 'nowy żółw']));
});
