/** Orders of the lists and full text in the worker: followed with every change, and looked after where no change tells of it. */
import type { Database } from '../db/database.ts';
import { createIndexUpdater } from '../lists/update-list-indexes.ts';
import { createSearchUpdater } from '../search/update-search-file.ts';
import type { CheckTask } from './check-process.ts';
import type { Follower } from './follow-changes.ts';
import type { Job } from './job.ts';
import { oneByOne } from './one-by-one.ts';
import type { OneByOne } from './one-by-one.ts';
import { runTask } from './task-process.ts';

const CHECK = new URL('./check-process.ts', import.meta.url);
/** A million entries for the first time take some minutes. */
const DEADLINE_MS = 30 * 60_000;

interface Updaters {
  followIndexes(signal: AbortSignal): Promise<boolean>;
  followSearch(signal: AbortSignal): Promise<void>;
  optimizeSearch(signal: AbortSignal): Promise<void>;
}

const updaters = new WeakMap<Database, Updaters>();

/** One of each a database; what is asked of one of them happens one after another. */
function updatersOf(db: Database): Updaters {
  let known = updaters.get(db);
  if (!known) {
    const [indexes, search] = [createIndexUpdater(db), createSearchUpdater(db)];
    const [oneIndex, oneSearch] = [oneByOne(), oneByOne()];
    known = {
      followIndexes: (signal) => oneIndex(() => indexes.follow(signal)),
      followSearch: (signal) => oneSearch(() => search.follow(signal)),
      optimizeSearch: (signal) => oneSearch(() => search.optimize(signal)),
    };
    updaters.set(db, known);
  }
  return known;
}

export const INDEX_FOLLOWERS: readonly Follower[] = [
  {
    name: 'list-indexes',
    deadlineMs: DEADLINE_MS,
    run: async ({ db, signal }) => void (await updatersOf(db).followIndexes(signal)),
  },
  {
    name: 'search',
    deadlineMs: DEADLINE_MS,
    run: ({ db, signal }) => updatersOf(db).followSearch(signal),
  },
];

/** @param inTurn runs long jobs */
export const createIndexJobs = (inTurn: OneByOne): readonly Job[] => [
  {
    // Views, and a search.db that was deleted.
    name: 'update-indexes',
    schedule: '*/5 * * * * *',
    deadlineMs: DEADLINE_MS,
    isFrequent: true,
    run: async ({ db, signal }) => {
      await updatersOf(db).followIndexes(signal);
      await updatersOf(db).followSearch(signal);
    },
  },
  {
    // Many changes make searches slower.
    name: 'optimize-search',
    schedule: '0 41 3 * * *',
    isDaily: true,
    deadlineMs: DEADLINE_MS,
    run: ({ db, signal }) => updatersOf(db).optimizeSearch(signal),
  },
  {
    // Wrong bytes in a key show only when somebody looks for them.
    name: 'check-files',
    schedule: '0 11 4 * * *',
    isDaily: true,
    deadlineMs: DEADLINE_MS,
    run: async ({ db, signal }) => {
      const task: CheckTask = { databasePath: db.path };
      const problems = await inTurn(() => runTask<string[]>(CHECK, task, signal));
      if (problems.length > 0) throw new Error(`the database is damaged: ${problems.join('; ')}`);
    },
  },
];
