/** Whether the chain is monitored for a donation, which its page shows, and how often an explorer is asked about it. */
import { sql } from 'kysely';
import type { Database, Transaction } from '../db/database.ts';
import { findProperty, setProperty } from '../db/properties.ts';
import type { Donation } from './donation.ts';
import { FINAL_DEPTH, isPaid } from './donation-status.ts';
import { BLOCK_TIME_SLACK_MS } from './record-transaction.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../text/calendar.ts';

/**
 * The chain is monitored, was last read at a time (epoch milliseconds), or never; `unread`: it is monitored, but blocks
 * that may pay the donation were pruned.
 */
export type Monitoring = 'yes' | { readonly since: number } | 'never' | 'unread';

/** The next poll makes up for one or two missed polls; the donor learns of a longer silence. */
const SILENCE_MS = MINUTE_MS;
/** An explorer that is asked about very many donations needs so long for a turn. */
const TURN_LATE_MS = 30 * MINUTE_MS;
const SCAN_PROPERTY = { node: 'litecoin.watched_at', explorer: 'litecoin.explorer_at' } as const;

/** @param source an explorer covers single donations, whose time is in `asked_at` */
export function recordScan(tx: Transaction, at: number, source: 'node' | 'explorer' = 'node'): void {
  setProperty(tx, SCAN_PROPERTY[source], at);
}

const UNREAD_PROPERTY = 'litecoin.unread_until';

/** @param until time of the last block that the node has pruned and no poll has read */
export function recordUnread(tx: Transaction, until: number | undefined): void {
  setProperty(tx, UNREAD_PROPERTY, until && until + BLOCK_TIME_SLACK_MS);
}

/** Whether no explorer was asked about a donation since those blocks. */
export const isUnread = sql<0 | 1>`max(donations.created_at, donations.asked_at) < coalesce(
  (SELECT CAST(value AS INTEGER) FROM properties WHERE key = ${sql.lit(UNREAD_PROPERTY)}), 0
)`;

/** @returns milliseconds between two questions to an explorer about a donation; 0: each poll */
export function askIntervalMs(
  { status, expiresAt }: Pick<Donation, 'status' | 'expiresAt'>,
  now: number,
): number {
  if (status === 'pending' || status === 'seen' || status === 'confirming') return 0;
  if (isPaid(status)) return HOUR_MS;
  if (now > expiresAt + DAY_MS) return DAY_MS;
  return status === 'underpaid' && now < expiresAt ? 0 : 5 * MINUTE_MS;
}

/** @returns `yes` also for a donation that is over */
export function findMonitoring(db: Database, donation: Donation, hasSource: boolean, now: number) {
  const { status, confirmations, askedAt, createdAt } = donation;
  const isDeep = status === 'confirmed' && confirmations >= FINAL_DEPTH;
  if (status === 'forwarded' || status === 'failed' || isDeep) return 'yes';
  if (!hasSource) return 'never';
  if (donation.isUnread) return 'unread';
  const [scan, explorer] = Object.values(SCAN_PROPERTY).map((key) => Number(findProperty(db, key) ?? 0));
  // The source has not been asked about a new donation yet. A clock that was ahead has left times in the future.
  const known = [scan, askedAt, createdAt].filter(
    (at): at is number => at !== undefined && at <= now + SILENCE_MS,
  );
  const since = Math.max(...known, 0);
  if (since === 0) return 'never';
  const isRecent = (at: number, withinMs: number): boolean => Math.abs(now - at) <= withinMs;
  const intervalMs = askIntervalMs(donation, now);
  // The page promises that a late payment is seen within minutes.
  const isPromised = status !== 'expired' || intervalMs < DAY_MS;
  const isTurn = isPromised && isRecent(since, intervalMs + TURN_LATE_MS);
  return isRecent(since, SILENCE_MS) || (isTurn && isRecent(explorer ?? 0, SILENCE_MS)) ? 'yes' : { since };
}

/** Differs whenever the page of a donation has changed, also by time or by the monitoring. */
export function pageVersion({ revision, expiresAt }: Donation, watched: Monitoring, now: number): string {
  const since = typeof watched === 'string' ? watched : watched.since;
  return `${revision}-${now < expiresAt ? 'open' : 'over'}-${since}`;
}
