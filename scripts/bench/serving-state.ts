/** How far the read model has come, as anybody can read it from its file. */
import { setTimeout } from 'node:timers/promises';
import type { Database } from '#src/db/database.ts';
import { findState, listServingFiles, openToRead } from '#src/serving/serving-file.ts';
import type { ServingState } from '#src/serving/serving-file.ts';

const POLL_MS = 50;
const COUNT_QUEUED = `SELECT (SELECT count(*) FROM text_queue) +
  (SELECT count(*) FROM text_leftovers WHERE merging != 0)`;

interface FoundState extends ServingState {
  /** Entries whose texts searches do not know yet, and merges that are to make them faster. */
  readonly queued: number;
}

/** Undefined while there is none, or another one takes its place. */
export function readServingState(databasePath: string): FoundState | undefined {
  const [newest] = listServingFiles(databasePath);
  if (newest === undefined) return undefined;
  try {
    const db = openToRead(newest);
    try {
      const state = findState(db);
      const queued = db.statement(COUNT_QUEUED).pluck().get() as number;
      return state && { ...state, queued };
    } finally {
      db.close();
    }
  } catch {
    return undefined;
  }
}

/** Resolves when lists and searches know every change; a worker has to be at work. */
export async function waitUntilFollowed(db: Database): Promise<void> {
  for (;;) {
    const newest = db.statement<{ seq: number }>('SELECT max(seq) AS seq FROM changes').get()?.seq;
    const state = readServingState(db.path);
    if (state?.seq === newest && state?.queued === 0 && state.textThrough === null) return;
    await setTimeout(POLL_MS);
  }
}
