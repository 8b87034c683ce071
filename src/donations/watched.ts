/** Whether the chain is monitored for a donation, which its page shows. */
import { build, given, type Database } from '../db/database.ts';
import { findProperty, setProperty } from '../db/properties.ts';

/** The chain is monitored, was last read at a time (epoch milliseconds), or never. */
export type Watched = 'yes' | { readonly since: number } | 'never';

/** The node is polled this often without open donations, for late payments and a short backlog. */
export const IDLE_POLL_MS = 5 * 60_000;
/** The next poll makes up for one or two missed polls; the donor learns of a longer silence. */
const SILENCE_MS = 60_000;
const SCAN_PROPERTY = 'litecoin.watched_at';

const DONATION = build
  .selectFrom('donations')
  .select(['status', 'settled', 'asked_at', 'created_at', 'revision', 'expires_at'])
  .where('id', '=', given('id'))
  .compile();

/**
 * Runs inside the caller's transaction.
 * @param at epoch milliseconds
 */
export function recordScan(db: Database, at: number): void {
  setProperty(db, SCAN_PROPERTY, at);
}

/** @returns the time of the node's last answer for all donations, epoch milliseconds */
export function findLastScan(db: Database): number | undefined {
  const at = findProperty(db, SCAN_PROPERTY);
  return at === undefined ? undefined : Number(at);
}

/** @returns `yes` also for a donation that is over and for an unknown ID */
export function findWatched(db: Database, id: string, hasSource: boolean, now: number): Watched {
  const row = db.first(DONATION, { id });
  if (!row || row.status === 'forwarded' || row.status === 'failed') return 'yes';
  if (!hasSource) return 'never';
  // The source has not been asked about a new donation yet.
  const since = Math.max(findLastScan(db) ?? 0, row.asked_at, row.created_at);
  const allowedMs = row.settled === 1 ? IDLE_POLL_MS + SILENCE_MS : SILENCE_MS;
  return now - since > allowedMs ? { since } : 'yes';
}

/**
 * Differs whenever the page of a donation has changed, also by time or by the monitoring.
 * @returns undefined without such a donation
 */
export function findPageVersion(
  db: Database,
  id: string,
  hasSource: boolean,
  now: number,
): string | undefined {
  const row = db.first(DONATION, { id });
  if (!row) return undefined;
  const watched = findWatched(db, id, hasSource, now);
  return [
    row.revision,
    now < row.expires_at ? 'open' : 'over',
    typeof watched === 'string' ? watched : watched.since,
  ].join('-');
}
