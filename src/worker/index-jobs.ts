import type { Database } from '../db/database.ts';
import { createIndexUpdater, type IndexUpdater } from '../lists/update-list-indexes.ts';
import { createSearchUpdater, type SearchUpdater } from '../search/update-search-file.ts';
import type { Job } from './job.ts';
import { runTask } from './run-task.ts';

/** Indexing a million entries for the first time takes some minutes. */
const DEADLINE_MS = 30 * 60_000;
/** Views change without an entry in the log, and search.db may have been deleted. */
const OFTEN = '*/5 * * * * *';

export function createIndexJobs(): readonly Job[] {
  let updaters: { readonly indexes: IndexUpdater; readonly search: SearchUpdater } | undefined;
  const updatersOf = (db: Database) =>
    (updaters ??= { indexes: createIndexUpdater(db), search: createSearchUpdater(db) });
  return [
    {
      name: 'list-indexes',
      schedule: OFTEN,
      isFollower: true,
      deadlineMs: DEADLINE_MS,
      run: async ({ db, signal }) => ({ written: Number(await updatersOf(db).indexes.follow(signal)) }),
    },
    {
      name: 'search',
      schedule: OFTEN,
      isFollower: true,
      lane: 'search',
      deadlineMs: DEADLINE_MS,
      run: async ({ db, signal }) => ({ written: Number(await updatersOf(db).search.follow(signal)) }),
    },
    {
      name: 'renew-search',
      schedule: '0 41 3 * * *',
      isDaily: true,
      lane: 'search',
      deadlineMs: DEADLINE_MS,
      run: async ({ db, signal }) => ({ written: Number(await updatersOf(db).search.renew(signal)) }),
    },
    {
      name: 'check-files',
      schedule: '0 11 4 * * *',
      isDaily: true,
      lane: 'disk',
      deadlineMs: DEADLINE_MS,
      run: async ({ db, signal }) => {
        const problems = await runTask<string[]>({ task: 'check', databasePath: db.path }, signal);
        if (problems.length > 0) throw new Error(`the database is damaged: ${problems.join('; ')}`);
      },
    },
  ];
}
