/**
 * Whether the database is well, as a process that only reads it can know: the file is the one that the settings name,
 * reading works, and the worker has written a while ago, which a full disk would have kept it from.
 */
import { build, compileOnce } from '../db/database.ts';
import type { Database } from '../db/database.ts';
import { monotonicMs } from '../db/machine-clock.ts';

/** Three times the pause between two writes of a worker that acts. */
export const WRITE_COUNTS_MS = 30_000;

/** @returns for how many milliseconds that can be repeated. @throws when it is not well, with the reason */
export type CheckDatabase = () => number;

/**
 * From now on, for as long as a write counts, reading is enough: the worker may still be starting.
 * @param now milliseconds of the machine's monotonic clock
 */
export function createDatabaseCheck(db: Database, now: () => number = monotonicMs): CheckDatabase {
  const startedAt = now();
  return () => {
    db.assertInPlace();
    readEntriesOnce(db);
    const written = db.first(WRITE_PROBE)?.at_monotonic;
    const at = now();
    // One from the future was written before the machine started anew.
    const writtenAt = typeof written === 'number' && written <= at ? written : Number.NEGATIVE_INFINITY;
    const leftMs = WRITE_COUNTS_MS - (at - Math.max(writtenAt, startedAt));
    if (leftMs <= 0) throw new Error(`no worker has written to ${db.path} for ${WRITE_COUNTS_MS / 1000} s`);
    return leftMs;
  };
}

/** Real reads through the handle that serves the lists: entries first, which are what it is for. */
export function readEntriesOnce(db: Database): void {
  db.first(ANY_ENTRY);
}

const WRITE_PROBE = compileOnce(build.selectFrom('status_write_probe').select('at_monotonic'));
const ANY_ENTRY = compileOnce(build.selectFrom('entries').select('row').limit(1));
