/**
 * This answers about health (SPEC 4.3) from the worker's snapshot, so that no request waits for a dependency. When the
 * snapshot is old, the web process takes one sample for all waiting requests.
 */
import { performance } from 'node:perf_hooks';
import { createAnswers } from '../outbound/answers.ts';
import { build, compileOnce } from '../db/database.ts';
import type { Database } from '../db/database.ts';
import { readEntriesOnce } from './check-database.ts';
import type { CheckDatabase } from './check-database.ts';
import { STATUS_FRESH_MS } from './status.ts';
import type { Status } from './status.ts';
import type { TakeSample } from './take-sample.ts';

export interface StatusReading {
  readonly status: Status;
  /** Time since the check. */
  readonly ageMs: number;
  /** Up to which age it may be given out again. */
  readonly ttlSeconds: number;
}

/** Never throws. */
export type ReadStatus = () => Promise<StatusReading>;

const SNAPSHOT = compileOnce(build.selectFrom('status_snapshot').select(['checked_at', 'body']));

interface Clocks {
  /** Epoch milliseconds. */
  readonly wall: () => number;
  /** Milliseconds of a clock that never goes back. */
  readonly monotonic: () => number;
}

export function createStatusReader(
  db: Database,
  takeSample: TakeSample,
  checkDatabase: CheckDatabase,
  { wall, monotonic }: Clocks = { wall: Date.now, monotonic: () => performance.now() },
): ReadStatus {
  const live = createAnswers<Status>({
    freshMs: STATUS_FRESH_MS,
    failureMs: 0,
    keysMax: 1,
    now: monotonic,
  });
  return async () => {
    const status = readFreshSnapshot(db, wall()) ?? (await live.get('live', () => takeSample(checkDatabase)));
    const ageMs = Math.abs(wall() - Date.parse(status.checkedAt));
    try {
      const keptMs = Math.min(STATUS_FRESH_MS, ageMs + checkDatabase());
      return { status, ageMs, ttlSeconds: keptMs / 1000 };
    } catch {
      // Looking at the database costs so little that it need not wait until the sample is too old.
      return { status: withoutDatabase(status), ageMs, ttlSeconds: STATUS_FRESH_MS / 1000 };
    }
  };
}

function withoutDatabase(status: Status): Status {
  return {
    ...status,
    checks: status.checks.map((check) => (check.id === 'database' ? { ...check, ok: false } : check)),
  };
}

/** When the worker last sampled, epoch milliseconds; undefined when it never did. */
export function readLastSampleTime(db: Database): number | undefined {
  return db.first(SNAPSHOT)?.checked_at;
}

function readFreshSnapshot(db: Database, now: number): Status | undefined {
  try {
    readEntriesOnce(db);
    const snapshot = db.first(SNAPSHOT);
    // One from the future was made before the clock was set back: nobody knows how old it is.
    if (!snapshot || Math.abs(now - snapshot.checked_at) > STATUS_FRESH_MS) return undefined;
    return JSON.parse(snapshot.body) as Status;
  } catch {
    // The sample of our own finds and reports what is wrong.
    return undefined;
  }
}
