/**
 * Answers about health (SPEC 4.3) come from the worker's snapshot, so that no request waits for a dependency. When it
 * is outdated, the web process takes one sample for all waiting requests.
 */
import { performance } from 'node:perf_hooks';
import { createAsyncCache } from '../outbound/async-cache.ts';
import { build, type Database } from '../db/database.ts';
import { readEntriesOnce, type CheckDatabase } from './check-database.ts';
import { STATUS_FRESH_MS, type Status } from './status.ts';
import type { TakeSample } from './take-sample.ts';

export interface StatusReading {
  readonly status: Status;
  readonly ageMs: number;
  /** The age up to which caches may keep it. */
  readonly ttlSeconds: number;
}

/** Never throws. */
export type ReadStatus = () => Promise<StatusReading>;

const SNAPSHOT = build.selectFrom('status_snapshot').select(['checked_at', 'body']).compile();

interface Clocks {
  /** Epoch milliseconds. */
  readonly wall: () => number;
  /** Milliseconds of a monotonic clock. */
  readonly monotonic: () => number;
}

export function createStatusReader(
  db: Database,
  takeSample: TakeSample,
  checkDatabase: CheckDatabase,
  { wall, monotonic }: Clocks = { wall: Date.now, monotonic: () => performance.now() },
): ReadStatus {
  const live = createAsyncCache<Status>({
    ttlMs: STATUS_FRESH_MS,
    failureTtlMs: 0,
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
      // The database check is cheap, so it need not wait for the next sample.
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

/** @returns epoch milliseconds; undefined without a sample */
export function readLastSampleTime(db: Database): number | undefined {
  return db.first(SNAPSHOT)?.checked_at;
}

function readFreshSnapshot(db: Database, now: number): Status | undefined {
  try {
    readEntriesOnce(db);
    const snapshot = db.first(SNAPSHOT);
    // After the clock was set back, its age is unknown.
    if (!snapshot || Math.abs(now - snapshot.checked_at) > STATUS_FRESH_MS) return undefined;
    return JSON.parse(snapshot.body) as Status;
  } catch {
    // takeSample finds and reports the cause.
    return undefined;
  }
}
