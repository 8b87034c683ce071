/** The entry file: kept up with the change log, and made again when it cannot be used. */
import { keepEntryFile } from '../entries/entry-file/keep-entry-file.ts';
import type { Follower } from './follow-changes.ts';
import type { Job } from './job.ts';
import { createTurns } from './turns.ts';

const MINUTE_MS = 60_000;
/** The follower and the job must not make the file at the same time. */
const keepInTurn = createTurns(keepEntryFile);

/** Told of every change: it seldom has more to do than to overwrite an old text. */
export const entryFileFollower: Follower = {
  name: 'entry-file',
  deadlineMs: 10 * MINUTE_MS,
  run: ({ db, signal, from }) => keepInTurn({ db, signal, erasedTo: from, now: Date.now() }),
};

/** Reads the tables: what was damaged or lost since, or could not be made anew yet, waits a minute at most. */
export const entryFileJob: Job = {
  name: 'entry-file-check',
  schedule: '45 * * * * *',
  deadlineMs: 10 * MINUTE_MS,
  run: ({ db, signal }) => keepInTurn({ db, signal, erasedTo: undefined, now: Date.now() }),
};
