import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import { openSearchFile, searchPath } from '#src/search/search-file.ts';
import { removeEntry } from '#src/entries/write-entries.ts';
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

it('makes search.db while an entry goes and comes back under a new row', async () => {
  const db = await makeDatabase();
  const records = Array.from({ length: 120 }, () => makeRecord());
  await importRecords(db, 'scammers', records);
  const [first] = records as [ReturnType<typeof makeRecord>];
  const reportId = db
    .statement('SELECT report_id FROM entries WHERE chat_id = ?')
    .pluck()
    .get(first.id) as string;
  const made = makeRunner(db)('search');
  await setImmediate();
  removeEntry(db, 'scammers', first.id, 'mistake', Date.now());
  await importRecords(db, 'scammers', [{ ...first, reportId }]);
  await made;
  using file = openSearchFile(searchPath(db.path), 'read');
  expect(file.statement('SELECT count(*) FROM texts').pluck().get()).toBe(120);
});
