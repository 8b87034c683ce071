/** Files that the worker makes from the entries: kept up with the change log, and made again when they are damaged. */
import type { Database } from '../db/database.ts';
import type { KeepFile, KeepFileOptions } from '../entries/derived-file.ts';
import { keepEntryFile } from '../entries/entry-file/keep-entry-file.ts';
import { keepNameIndex } from '../entries/keep-name-index.ts';
import type { Follower } from './follow-changes.ts';
import type { Job } from './job.ts';

const DEADLINE_MS = 10 * 60_000;

interface FileWork {
  /** Told of every change: it seldom has more to do than to overwrite what no longer holds. */
  readonly follower: Follower;
  /** Reads the file: what was damaged or lost since, or could not be made anew yet, waits a minute at most. */
  readonly job: Job;
}

/** @param second of every minute, in which the file is looked at */
function keepUp(name: string, second: number, keep: KeepFile): FileWork {
  // The follower and the job must not make the file at the same time.
  const working = new WeakMap<Database, Promise<unknown>>();
  const inTurn = (options: Omit<KeepFileOptions, 'now'>): Promise<object> => {
    const before = working.get(options.db) ?? Promise.resolve();
    const turn = before.then(() => keep({ ...options, now: Date.now() }));
    working.set(
      options.db,
      turn.catch(() => {}),
    );
    return turn;
  };
  return {
    follower: {
      name,
      deadlineMs: DEADLINE_MS,
      run: ({ db, signal, from }) => inTurn({ db, signal, erasedTo: from }),
    },
    job: {
      name: `${name}-check`,
      schedule: `${second} * * * * *`,
      deadlineMs: DEADLINE_MS,
      run: ({ db, signal }) => inTurn({ db, signal, erasedTo: undefined }),
    },
  };
}

/** Entries by ID. */
export const entryFileWork = keepUp('entry-file', 45, keepEntryFile);
/** Names, for the check. */
export const nameIndexWork = keepUp('name-index', 30, keepNameIndex);
