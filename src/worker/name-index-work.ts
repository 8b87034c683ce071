/** The name index of the check: kept up with the change log and with the views, and made again when it is damaged. */
import { keepNameIndex } from '../entries/keep-name-index.ts';
import type { Follower } from './follow-changes.ts';
import type { Job } from './job.ts';
import { createTurns } from './turns.ts';

const MINUTE_MS = 60_000;

/** The follower and the job must not make the file at the same time. */
const keepInTurn = createTurns(keepNameIndex);

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
