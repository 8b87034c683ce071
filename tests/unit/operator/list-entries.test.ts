import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { ListKind } from '#src/entries/entry.ts';
import { listEntries } from '#src/operator/list-entries.ts';
import { openSearchFile, searchPath } from '#src/search/search-file.ts';
import { createSearchUpdater, deleteTexts } from '#src/search/update-search-file.ts';
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

it('has no entry for a text of invisible characters, every one for none, and no trusted one at risk', async () => {
  const db = await makeLists({ scammers: [makeRecord()], legit: [makeRecord({ verified: true })] });
  const count = (list: ListKind, more: object): number =>
    listEntries(db, list, { status: 'all', skip: 0, limit: 9, ...more }).total;
  expect(['\u200b', '', ' '].map((search) => count('scammers', { search }))).toEqual([0, 1, 1]);
  expect(['all', 'verified', 'risk'].map((status) => count('legit', { status }))).toEqual([1, 1, 0]);
});
