/** Health for a reading process: the file is there, readable, and was written recently, which a full disk prevents. */
import { sqlBuilder, type Database } from '../db/database.ts';
import { monotonicMs } from '../db/monotonic-ms.ts';

/** Three times the interval between a worker's writes. */
export const WRITE_COUNTS_MS = 30_000;

/** @returns milliseconds for which the result stays valid @throws with the reason when it is unhealthy */
export type CheckDatabase = () => number;

/** The worker may still start in the first 30 s. @param now milliseconds of the machine's monotonic clock */
export function createDatabaseCheck(db: Database, now: () => number = monotonicMs): CheckDatabase {
  const startedAt = now();
  return () => {
    db.assertInPlace();
    readEntriesOnce(db);
    const written = db.first(WRITE_PROBE)?.at_monotonic;
    const at = now();
    // A time in the future was written before the machine restarted.
    const writtenAt = typeof written === 'number' && written <= at ? written : Number.NEGATIVE_INFINITY;
    const leftMs = WRITE_COUNTS_MS - (at - Math.max(writtenAt, startedAt));
    if (leftMs <= 0) throw new Error(`no worker has written to ${db.path} for ${WRITE_COUNTS_MS / 1000} s`);
    return leftMs;
  };
}

export function readEntriesOnce(db: Database): void {
  db.first(ANY_ENTRY);
}

const WRITE_PROBE = sqlBuilder.selectFrom('status_write_probe').select('at_monotonic').compile();
const ANY_ENTRY = sqlBuilder.selectFrom('entries').select('row').limit(1).compile();
