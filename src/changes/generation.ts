/**
 * Which state of the data the web process shows: the number of the newest change. Only rows of the change log count;
 * leases, samples and views are writes too and must not empty a cache.
 */
import { performance } from 'node:perf_hooks';
import type { Database } from '../db/database.ts';
import { readLogHead } from './log-head.ts';
import type { LogHead } from './log-head.ts';

/** How often the log is looked at: no answer is older than this, and under load a look costs next to nothing. */
const LOOK_MS = 10;
/** More than a log has changes: the generations of one history are none of another's. */
const HISTORY_STEP = 2 ** 40;

/** @returns the generation; costs a look at a clock, and every LOOK_MS one at the end of the log */
export function createGeneration(db: Database): () => number {
  let known = -1;
  let head: LogHead | undefined;
  let histories = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const at = performance.now();
    if (at - lookedAt < LOOK_MS) return known;
    lookedAt = at;
    try {
      const latest = readLogHead(db);
      // A backup was restored: its newest change may have the number that the newest one had before.
      if (head && head.history !== latest.history) histories += 1;
      head = latest;
      known = latest.seq + histories * HISTORY_STEP;
    } catch {
      // A database that cannot be read has no newer state to show.
    }
    return known;
  };
}
