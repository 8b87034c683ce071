/**
 * Answers about health (SPEC 4.3) come from the worker's snapshot, so that no request waits for a dependency. When it
 * is outdated, the web process takes one sample for all waiting requests.
 */
import { sqlBuilder, type Database } from '../db/database.ts';
import { readEntriesOnce, type CheckDatabase } from './check-database.ts';
import { STATUS_FRESH_MS, type Status } from './status.ts';
import type { TakeSample } from './take-sample.ts';

const SNAPSHOT = sqlBuilder.selectFrom('status_snapshot').select(['checked_at', 'body']).compile();

/** @param now epoch milliseconds */
export function createStatusReader(
  db: Database,
  takeSample: TakeSample,
  checkDatabase: CheckDatabase,
  now: () => number = Date.now,
) {
  let sampling: Promise<Status> | undefined;
  let sampled: Status | undefined;

  // After the clock was set back, the age of a sample is unknown.
  const ageOf = ({ checkedAt }: Status): number => Math.abs(now() - Date.parse(checkedAt));
  const isFresh = (status: Status | undefined): boolean => !!status && ageOf(status) <= STATUS_FRESH_MS;

  const sample = async (): Promise<Status> => {
    sampling ??= takeSample(checkDatabase).finally(() => (sampling = undefined));
    return (sampled = await sampling);
  };

  /** `ttlSeconds` is the age up to which caches may keep the status. */
  return async () => {
    const status = [readSnapshot(db), sampled].find(isFresh) ?? (await sample());
    const ageMs = ageOf(status);
    try {
      const ttlMs = Math.min(STATUS_FRESH_MS, ageMs + checkDatabase());
      return { status, ageMs, ttlSeconds: ttlMs / 1000 };
    } catch {
      // The database check is cheap, so it need not wait for the next sample.
      const checks = status.checks.map((each) => (each.id === 'database' ? { ...each, ok: false } : each));
      return { status: { ...status, checks }, ageMs, ttlSeconds: STATUS_FRESH_MS / 1000 };
    }
  };
}

/** @returns epoch milliseconds; undefined without a sample */
export function readLastSampleTime(db: Database): number | undefined {
  return db.first(SNAPSHOT)?.checked_at;
}

function readSnapshot(db: Database): Status | undefined {
  try {
    readEntriesOnce(db);
    const snapshot = db.first(SNAPSHOT);
    return snapshot && (JSON.parse(snapshot.body) as Status);
  } catch {
    // takeSample finds and reports the cause.
    return undefined;
  }
}
