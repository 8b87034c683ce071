import { existsSync, readFileSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import { openSearchFile, searchPath } from '#src/search/search-file.ts';
import type { JobContext } from '#src/worker/job.ts';
import { createIndexJobs } from '#src/worker/index-work.ts';
import { importRecords, makeRecord } from '../../support/make-entries.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

/** Runs the jobs of one worker by their names. */
function makeRunner(db: Database): (name: string) => Promise<void> {
  const jobs = createIndexJobs();
  return async (name) => {
    const job = jobs.find((known) => known.name === name);
    await job?.run({ db, signal: new AbortController().signal } as JobContext);
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

it('makes search.db again, so that copies of moved rows go', async () => {
  const db = await makeDatabase();
  await importRecords(db, 'scammers', [makeRecord()]);
  const path = searchPath(db.path);
  const run = makeRunner(db);
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
  expect(hasCopy()).toBe(true);
  await run('renew-search');
  expect(hasCopy()).toBe(false);
});
