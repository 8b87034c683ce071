import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openSearchFile, searchPath } from '#src/search/search-file.ts';
import type { JobContext } from '#src/worker/job.ts';
import { createIndexJobs } from '#src/worker/index-work.ts';
import { importRecords, makeRecord } from '../../support/make-entries.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

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
