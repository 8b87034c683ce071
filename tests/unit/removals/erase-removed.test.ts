import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { readLogHead } from '#src/changes/change-log.ts';
import { identifyFile, type Database } from '#src/db/database.ts';
import { lockForProcess, workerLock } from '#src/db/process-lock.ts';
import { createIndexUpdater } from '#src/lists/update-list-indexes.ts';
import { searchPath } from '#src/search/search-file.ts';
import { createSearchUpdater } from '#src/search/update-search-file.ts';
import { eraseRemoved, eraseWithoutWorker } from '#src/removals/erase-removed.ts';
import { removeEntry } from '../../support/change-log.ts';
import { findInFiles } from '../../support/find-in-files.ts';
import { makeLists, makeRecord, NOW } from '../../support/make-entries.ts';
import { publish } from '../../support/publish.ts';
import { updateIndexes } from '../../support/update-indexes.ts';

let db: Database;
/** The newest change before the removals. */
let seq: number;

const findTraces = (): string[] => findInFiles(dirname(db.path), ['znikają', 'zniknie', 'przepad']);
// Fixed numbers: they decide where SQLite puts rows, and it leaves copies of rows that it moves until a VACUUM.
const gone = Array.from({ length: 400 }, (_, at) =>
  makeRecord({ reportId: `R-${at}`, name: `zniknie ${at}`, reason: 'znikają i przepadają' }),
);

beforeEach(async () => {
  db = await makeLists({ scammers: [...gone, makeRecord({ reportId: 'R-stays' })] });
  ({ seq } = readLogHead(db));
  await updateIndexes(db);
  await publish(db);
});

const removeAll = (origin?: 'undo'): void => {
  for (const { id } of gone) removeEntry(db, 'scammers', id, 'other', NOW, { origin });
};

it.each([undefined, 'undo'] as const)('a verb erases its removals where no worker does: %s', async (how) => {
  expect(findTraces().length).toBeGreaterThan(1);
  removeAll(how);
  expect(await eraseWithoutWorker(db, seq)).toBe(true);
  expect(findTraces()).toEqual([]);
  expect(existsSync(searchPath(db.path)), 'a worker makes it again').toBe(false);
  expect(await eraseRemoved(db)).toBe(0);
});

it('a verb leaves the files to a worker, which is making search.db', async () => {
  const before = identifyFile(searchPath(db.path));
  const release = lockForProcess(workerLock(db.path));
  removeAll();
  using search = createSearchUpdater(db);
  const making = search.catchUp();
  expect(await eraseWithoutWorker(db, seq)).toBe(false);
  expect(await eraseWithoutWorker(db, readLogHead(db).seq), 'of a verb that removed nothing').toBe(true);
  expect(identifyFile(searchPath(db.path))).toBe(before);
  await making;
  await createIndexUpdater(db).catchUp();
  await publish(db);
  expect(await eraseRemoved(db)).toBe(gone.length);
  expect(findTraces()).toEqual([]);
  expect(existsSync(searchPath(db.path))).toBe(true);
  release?.();
});
