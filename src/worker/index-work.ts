import type { Database } from '../db/database.ts';
import { createIndexUpdater, type IndexUpdater } from '../lists/update-list-indexes.ts';
import { createSearchUpdater, type SearchUpdater } from '../search/update-search-file.ts';
import type { Follower } from './follow-changes.ts';
import type { Job, JobContext } from './job.ts';
import { oneByOne, type OneByOne } from './one-by-one.ts';
import { runTask } from './task-process.ts';

const CHECK = new URL('./check-process.ts', import.meta.url);
/** Indexing a million entries for the first time takes some minutes. */
const DEADLINE_MS = 30 * 60_000;

export function createIndexWork(inTurn: OneByOne): {
  readonly followers: readonly Follower[];
  readonly jobs: readonly Job[];
} {
  let updaters: { readonly indexes: IndexUpdater; readonly search: SearchUpdater } | undefined;
  const updatersOf = (db: Database) =>
    (updaters ??= { indexes: createIndexUpdater(db), search: createSearchUpdater(db) });
  const [oneIndex, oneSearch] = [oneByOne(), oneByOne()];
  const followIndexes = async ({ db, signal }: JobContext): Promise<void> =>
    void (await oneIndex(() => updatersOf(db).indexes.follow(signal)));
  const followSearch = ({ db, signal }: JobContext): Promise<void> =>
    oneSearch(() => updatersOf(db).search.follow(signal));
  const jobs: readonly Job[] = [
    {
      // Views change without an entry in the log, and search.db may have been deleted.
      name: 'update-indexes',
      schedule: '*/5 * * * * *',
      deadlineMs: DEADLINE_MS,
      isFrequent: true,
      run: async (context) => {
        await followIndexes(context);
        await followSearch(context);
      },
    },
    {
      name: 'renew-search',
      schedule: '0 41 3 * * *',
      isDaily: true,
      deadlineMs: DEADLINE_MS,
      run: ({ db, signal }) => oneSearch(() => updatersOf(db).search.renew(signal)),
    },
    {
      // A damaged key shows only when it is searched for.
      name: 'check-files',
      schedule: '0 11 4 * * *',
      isDaily: true,
      deadlineMs: DEADLINE_MS,
      run: async ({ db, signal }) => {
        const problems = await inTurn(() => runTask<string[]>(CHECK, { databasePath: db.path }, signal));
        if (problems.length > 0) throw new Error(`the database is damaged: ${problems.join('; ')}`);
      },
    },
  ];
  const followers: readonly Follower[] = [
    { name: 'list-indexes', deadlineMs: DEADLINE_MS, run: followIndexes },
    { name: 'search', deadlineMs: DEADLINE_MS, run: followSearch },
  ];
  return { jobs, followers };
}
