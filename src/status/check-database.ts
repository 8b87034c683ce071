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
    const at = now();
    const leftMs = WRITE_COUNTS_MS - Math.min(msSinceWrite(db, at), at - startedAt);
    if (leftMs <= 0) throw new Error(`no worker has written to ${db.path} for ${WRITE_COUNTS_MS / 1000} s`);
    return leftMs;
  };
}

/** @returns milliseconds since a worker wrote; Infinity when none did since the machine started */
export function msSinceWrite(db: Database, now = monotonicMs()): number {
  const written = db.first(WRITE_PROBE)?.at_monotonic;
  // A time in the future was written before the machine restarted.
  return typeof written === 'number' && written <= now ? now - written : Number.POSITIVE_INFINITY;
}

export function readEntriesOnce(db: Database): void {
  db.first(ANY_ENTRY);
}

const WRITE_PROBE = sqlBuilder.selectFrom('status_write_probe').select('at_monotonic').compile();
const ANY_ENTRY = sqlBuilder.selectFrom('entries').select('row').limit(1).compile();
