import { sql } from 'kysely';
import { sqlBuilder, param, type Database } from '../db/database.ts';
import { toDonation, type Donation } from './donation.ts';
import type { DonationStatus } from './donation-status.ts';
import { isUnread } from './monitoring.ts';

/** The payment that completed the minimum says how high the chain was when its confirmations were counted. */
const CONFIRMED = sql<number | null>`(
  SELECT sum(litoshi) FROM donation_outputs
  WHERE donation_id = donations.id AND is_gone = 0 AND height <= donations.confirmations
    - donations.required_confirmations + (
      SELECT max(height) FROM donation_outputs
      WHERE donation_id = donations.id AND is_gone = 0 AND tx_id = donations.tx_id
    )
)`.as('confirmed_litoshi');
const donations = sqlBuilder
  .selectFrom('donations')
  .selectAll()
  .select([CONFIRMED, isUnread.as('is_unread')]);
const DONATION = donations.where('id', '=', param('id')).compile();

export function findDonation(db: Database, id: string): Donation | undefined {
  const row = db.first(DONATION, { id });
  return row && toDonation(row);
}

/** Newest first. */
export function listDonations(
  db: Database,
  { status, limit }: { readonly status?: DonationStatus | undefined; readonly limit: number },
): Donation[] {
  const newest = donations.orderBy('created_at', 'desc').orderBy('id');
  const wanted = status === undefined ? newest : newest.where('status', '=', status);
  return db.all(wanted.limit(limit)).map(toDonation);
}
