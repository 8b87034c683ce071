import type { Selectable } from 'kysely';
import { build, given, type Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import type { Donation } from './donation.ts';
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

/** Public columns only: donation_payers is never joined here. */
function toDonation(row: Selectable<Tables['donations']>): Donation {
  return {
    id: row.id,
    address: row.address,
    status: row.status,
    statusSince: row.status_since,
    receivedLitoshi: row.received_litoshi,
    minimumLitoshi: row.minimum_litoshi,
    rateGrosze: row.rate_grosze,
    confirmations: row.confirmations,
    requiredConfirmations: row.required_confirmations,
    txId: row.tx_id,
    forwardTxId: row.forward_tx_id,
    roleStatus: row.role_status,
    roleExpected: row.role_expected === 1,
    premiumMonthGrosze: row.premium_month_grosze,
    premiumLifetimeGrosze: row.premium_lifetime_grosze,
    isLate: row.is_late === 1,
    isReorganised: row.is_reorganised === 1,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revision: row.revision,
  };
}
