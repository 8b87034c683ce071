/** The name index of the check: kept up with the change log and with the views, and made again when it is damaged. */
import type { Database } from '../db/database.ts';
import { keepNameIndex } from '../entries/keep-name-index.ts';
import type { KeepNameIndexOptions } from '../entries/keep-name-index.ts';
import type { Follower } from './follow-changes.ts';
import type { Job } from './job.ts';

const MINUTE_MS = 60_000;

/** What goes on over a database handle: the follower and the job must not make the file at the same time. */
const working = new WeakMap<Database, Promise<unknown>>();

function keepInTurn(options: KeepNameIndexOptions): Promise<object> {
  const before = working.get(options.db) ?? Promise.resolve();
  const work = before.then(() => keepNameIndex(options));
  working.set(
    options.db,
    work.catch(() => {}),
  );
  return work;
}

/** Told of every change: it seldom has more to do than to look whether a name is to be erased. */
export const nameIndexFollower: Follower = {
  name: 'name-index',
  deadlineMs: 10 * MINUTE_MS,
  run: ({ db, signal, from }) => keepInTurn({ db, signal, erasedTo: from, now: Date.now() }),
};

/** Reads the whole file: what was damaged since, or could not be made anew yet, waits a minute at most. */
export const nameIndexJob: Job = {
  name: 'name-index-check',
  schedule: '30 * * * * *',
  deadlineMs: 10 * MINUTE_MS,
  run: ({ db, signal }) => keepInTurn({ db, signal, erasedTo: undefined, now: Date.now() }),
};
