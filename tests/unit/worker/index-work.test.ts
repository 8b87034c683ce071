import { existsSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { hasListIndexes } from '#src/lists/list-indexes.ts';
import { searchPath } from '#src/search/search-file.ts';
import type { JobContext } from '#src/worker/job.ts';
import { createIndexWork } from '#src/worker/index-work.ts';
import { oneByOne } from '#src/worker/one-by-one.ts';
import { importRecords, makeRecord } from '../../support/make-entries.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

it('makes again what was deleted, with no change that tells of it', async () => {
  const db = await makeDatabase();
  await importRecords(db, 'scammers', [makeRecord()]);
  const [upkeep] = createIndexWork(oneByOne()).jobs;
  const run = async (): Promise<void> =>
    void (await upkeep?.run({ db, signal: new AbortController().signal } as JobContext));
  await run();
  expect(existsSync(searchPath(db.path))).toBe(true);
  rmSync(searchPath(db.path));
  db.connection.exec("DELETE FROM list_indexes; DELETE FROM properties WHERE key = 'list_indexes'");
  await run();
  expect(existsSync(searchPath(db.path))).toBe(true);
  expect(hasListIndexes(db)).toBe(true);
  expect(db.statement('SELECT count(*) FROM list_indexes').pluck().get()).toBe(3);
});
