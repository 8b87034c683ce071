/** Whether the chain is monitored for a donation, which its page shows. */
import type { Database } from '../db/database.ts';
import { findProperty, setProperty } from '../db/properties.ts';
import type { Donation } from './donation.ts';

/** The chain is monitored, was last read at a time (epoch milliseconds), or never. */
export type Watched = 'yes' | { readonly since: number } | 'never';

/** The next poll makes up for one or two missed polls; the donor learns of a longer silence. */
const SILENCE_MS = 60_000;
const SCAN_PROPERTY = 'litecoin.watched_at';

/**
 * Runs inside the caller's transaction.
 * @param at epoch milliseconds
 */
export function recordScan(db: Database, at: number): void {
  setProperty(db, SCAN_PROPERTY, at);
}

/** @returns the time of the node's last answer for all donations, epoch milliseconds; 0 before the first one */
export function findLastScan(db: Database): number {
  return Number(findProperty(db, SCAN_PROPERTY) ?? 0);
}

/** @returns `yes` also for a donation that is over */
export function findWatched(
  db: Database,
  { status, askedAt, createdAt }: Donation,
  hasSource: boolean,
  now: number,
): Watched {
  if (status === 'forwarded' || status === 'failed') return 'yes';
  if (!hasSource) return 'never';
  // The source has not been asked about a new donation yet.
  const since = Math.max(findLastScan(db), askedAt, createdAt);
  return now - since > SILENCE_MS ? { since } : 'yes';
}

/** Differs whenever the page of a donation has changed, also by time or by the monitoring. */
export function pageVersion({ revision, expiresAt }: Donation, watched: Watched, now: number): string {
  const since = typeof watched === 'string' ? watched : watched.since;
  return `${revision}-${now < expiresAt ? 'open' : 'over'}-${since}`;
}
