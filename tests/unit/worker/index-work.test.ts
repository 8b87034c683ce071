import { existsSync, readFileSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { hasListIndexes } from '#src/lists/list-indexes.ts';
import { openSearchFile, searchPath } from '#src/search/search-file.ts';
import type { JobContext } from '#src/worker/job.ts';
import { createIndexJobs } from '#src/worker/index-work.ts';
import { importRecords, makeRecord } from '../../support/make-entries.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

it('makes again what was deleted, with no change that tells of it', async () => {
  const db = await makeDatabase();
  await importRecords(db, 'scammers', [makeRecord()]);
  const [orders, search] = createIndexJobs();
  const run = async (): Promise<void> => {
    for (const job of [orders, search])
      await job?.run({ db, signal: new AbortController().signal } as JobContext);
  };
  await run();
  expect(existsSync(searchPath(db.path))).toBe(true);
  rmSync(searchPath(db.path));
  db.connection.exec("DELETE FROM list_indexes; DELETE FROM properties WHERE key = 'list_indexes'");
  await run();
  expect(existsSync(searchPath(db.path))).toBe(true);
  expect(hasListIndexes(db)).toBe(true);
  expect(db.statement('SELECT count(*) FROM list_indexes').pluck().get()).toBe(3);
});

it('makes a changed search.db again, so that copies of moved rows go', async () => {
  const db = await makeDatabase();
  await importRecords(db, 'scammers', [makeRecord()]);
  const path = searchPath(db.path);
  const jobs = createIndexJobs();
  const run = async (name: string): Promise<void> => {
    const job = jobs.find((known) => known.name === name);
    await job?.run({ db, signal: new AbortController().signal } as JobContext);
  };
  /** As SQLite leaves a copy: in a page that no table uses. */
  const leaveCopy = (): void => {
    const file = openSearchFile(path, 'write');
    file.connection.exec(`PRAGMA secure_delete = OFF; CREATE TABLE copies (text TEXT);
      INSERT INTO copies VALUES ('kopiaWiersza'); DROP TABLE copies; PRAGMA wal_checkpoint(TRUNCATE)`);
    file.close();
  };
  const hasCopy = (): boolean => readFileSync(path).includes('kopiaWiersza');
  await run('search');
  leaveCopy();
  await run('renew-search');
  expect(hasCopy(), 'nothing changed since').toBe(true);
  await importRecords(db, 'scammers', [makeRecord()]);
  await run('search');
  expect(hasCopy()).toBe(true);
  await run('renew-search');
  expect(hasCopy()).toBe(false);
});
