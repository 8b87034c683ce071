/**
 * Which state of the data the web process shows: the number of the newest change. Only rows of the change log count;
 * leases, samples and views are writes too and must not empty a cache.
 */
import { performance } from 'node:perf_hooks';
import type { Database } from '../db/database.ts';

/** How often the log is looked at: no answer is older than this, and under load a look costs next to nothing. */
const LOOK_MS = 10;

/** @returns the generation; costs a look at a clock, and every LOOK_MS one at the end of the log */
export function createGeneration(db: Database): () => number {
  let known = -1;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const at = performance.now();
    if (at - lookedAt < LOOK_MS) return known;
    lookedAt = at;
    try {
      known = db.statement<{ seq: number | null }>('SELECT max(seq) AS seq FROM changes').get()?.seq ?? 0;
    } catch {
      // A database that cannot be read has no newer state to show.
    }
    return known;
  };
}
