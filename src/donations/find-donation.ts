import { build, given, type Database } from '../db/database.ts';
import { toDonation, type Donation } from './donation.ts';
import type { DonationStatus } from './donation-status.ts';

export function findDonation(db: Database, id: string): Donation | undefined {
  const row = db.first(DONATION, { id });
  return row && toDonation(row);
}

/** Newest first. */
export function listDonations(
  db: Database,
  { status, limit }: { readonly status: DonationStatus | undefined; readonly limit: number },
): Donation[] {
  const newest = build.selectFrom('donations').selectAll().orderBy('created_at', 'desc').orderBy('id');
  const wanted = status === undefined ? newest : newest.where('status', '=', status);
  return db.all(wanted.limit(limit)).map(toDonation);
}

const DONATION = build.selectFrom('donations').selectAll().where('id', '=', given('id')).compile();
