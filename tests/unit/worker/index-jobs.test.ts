import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { identifyFile, type Database } from '#src/db/database.ts';
import { openSearchFile, searchPath } from '#src/search/search-file.ts';
import { requestNewSearchFile } from '#src/search/update-search-file.ts';
import type { JobContext } from '#src/worker/job-runner.ts';
import { createIndexJobs } from '#src/worker/jobs.ts';
import { removeEntry } from '../../support/change-log.ts';
import { importRecords, makeLists, makeRecord } from '../../support/make-entries.ts';
import { openLists } from '../../support/open-lists.ts';
import { ALL, ask } from '../../support/read-model.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

/** Runs the jobs of one worker by their names. */
function makeRunner(db: Database): (name: string, signal?: AbortSignal) => Promise<void> {
  const jobs = createIndexJobs();
  return async (name, signal = new AbortController().signal) => {
    const job = jobs.find((known) => known.name === name);
    await job?.run({ db, signal } as JobContext);
  };
}

it('makes a search.db again that was deleted, with no change that tells of it', async () => {
  const db = await makeDatabase();
  const run = makeRunner(db);
  await run('search');
  rmSync(searchPath(db.path));
  await run('search');
  expect(existsSync(searchPath(db.path))).toBe(true);
});

it('makes search.db again after an edit, so that copies of moved rows go', async () => {
  const edited = makeRecord();
  const db = await makeLists({ scammers: [edited] });
  const path = searchPath(db.path);
  const run = makeRunner(db);
  /** As SQLite leaves a copy: in a page that no table uses. */
  const leaveCopy = (): void => {
    using file = openSearchFile(path, 'write');
    file.connection.exec(`PRAGMA secure_delete = OFF; CREATE TABLE copies (text TEXT);
      INSERT INTO copies VALUES ('kopiaWiersza'); DROP TABLE copies; PRAGMA wal_checkpoint(TRUNCATE)`);
  };
  const hasCopy = (): boolean => readFileSync(path).includes('kopiaWiersza');
  await run('search');
  leaveCopy();
  await importRecords(db, 'scammers', [makeRecord()]);
  await run('search');
  await run('renew-search');
  expect(hasCopy(), 'only an edit or a removal leaves copies').toBe(true);
  await importRecords(db, 'scammers', [{ ...edited, name: 'inaczej' }]);
  await run('search');
  await run('renew-search');
  expect(hasCopy()).toBe(false);
});

it('answers from the old search.db while it makes a new one, without what was removed', async () => {
  const records = Array.from({ length: 800 }, (_, at) => makeRecord({ name: `nick ${at % 2}` }));
  const db = await makeLists({ scammers: records });
  const path = searchPath(db.path);
  const run = makeRunner(db);
  await run('list-indexes');
  await run('search');
  const { lists, failures, close } = openLists(db);
  const find = async () => {
    const { total, texts } = await ask(lists, 'scammers', { ...ALL, search: 'nick 1', limit: 60 }, 'json');
    return { total, found: texts.length };
  };
  expect(await find()).toEqual({ total: 400, found: 60 });
  const before = identifyFile(path);
  for (const { id } of records.slice(0, 790)) removeEntry(db, 'scammers', id, 'mistake', Date.now());
  await run('list-indexes');
  const making = run('search');
  let isMade = false;
  void making.then(() => (isMade = true));
  let asked = 0;
  for (; !isMade; asked += 1) expect(await find()).toEqual({ total: 5, found: 5 });
  await making;
  expect(asked).toBeGreaterThan(0);
  expect(identifyFile(path)).not.toBe(before);
  expect(await find()).toEqual({ total: 5, found: 5 });
  await close();
  expect(failures).toEqual([]);
});

it('leaves the old search.db when it cannot make a new one, and nothing of that', async () => {
  const db = await makeLists({ scammers: [{}] });
  const path = searchPath(db.path);
  const run = makeRunner(db);
  await run('search');
  const before = identifyFile(path);
  // As a killed process leaves it.
  writeFileSync(`${path}.tmp`, 'x');
  const many = Array.from({ length: 301 }, () => makeRecord());
  await importRecords(db, 'scammers', many);
  const ending = AbortSignal.abort(new Error('the worker ends'));
  await expect(makeRunner(db)('search', ending)).rejects.toThrow('the worker ends');
  expect(identifyFile(path)).toBe(before);
  expect(readdirSync(dirname(path)).filter((file) => file.startsWith('search.db.'))).toEqual([]);
  await run('search');
  expect(identifyFile(path)).not.toBe(before);
});

it('makes search.db once for all that is due', async () => {
  const db = await makeLists({ scammers: [{}] });
  const path = searchPath(db.path);
  const made: (string | undefined)[] = [];
  const run = async (name: string, runner = makeRunner(db)): Promise<void> => {
    await runner(name);
    made.push(identifyFile(path));
  };
  for (const name of ['search', 'renew-search', 'search']) await run(name);
  expect(new Set(made).size, 'a first start, and another').toBe(1);
  requestNewSearchFile(db);
  for (const name of ['search', 'search', 'renew-search']) await run(name);
  expect(new Set(made).size, 'a rebuild').toBe(2);
});

it('makes search.db while an entry goes and comes back under a new row', async () => {
  const first = makeRecord({ reportId: 'R-FIRST' });
  const db = await makeLists({ scammers: [first, ...Array.from({ length: 119 }, () => ({}))] });
  const made = makeRunner(db)('search');
  await setImmediate();
  removeEntry(db, 'scammers', first.id, 'mistake', Date.now());
  await importRecords(db, 'scammers', [first]);
  await made;
  using file = openSearchFile(searchPath(db.path), 'read');
  expect(file.statement('SELECT count(*) FROM texts').pluck().get()).toBe(120);
});
