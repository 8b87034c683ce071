import type { Database } from '../db/database.ts';
import type { Donation } from './donation.ts';
import type { DonationStatus, RoleStatus } from './donation-status.ts';

/** The row as the public part of it; donation_payers is never joined here. */
interface DonationRow {
  id: string;
  address: string;
  status: DonationStatus;
  status_since: number;
  received_litoshi: number;
  minimum_litoshi: number;
  rate_grosze: number;
  confirmations: number;
  required_confirmations: number;
  tx_id: string | null;
  forward_tx_id: string | null;
  role_status: RoleStatus;
  role_expected: number;
  premium_month_grosze: number;
  premium_lifetime_grosze: number;
  is_late: number;
  is_reorganised: number;
  created_at: number;
  expires_at: number;
  revision: number;
}

const COLUMNS = `id, address, status, status_since, received_litoshi, minimum_litoshi, rate_grosze, confirmations,
  required_confirmations, tx_id, forward_tx_id, role_status, role_expected, premium_month_grosze,
  premium_lifetime_grosze, is_late, is_reorganised, created_at, expires_at, revision`;

export function findDonation(db: Database, id: string): Donation | undefined {
  const row = db.statement<DonationRow>(`SELECT ${COLUMNS} FROM donations WHERE id = ?`).get(id);
  return row && toDonation(row);
}

/** Newest first. */
export function listDonations(
  db: Database,
  { status, limit }: { readonly status: DonationStatus | undefined; readonly limit: number },
): Donation[] {
  return db
    .statement<DonationRow>(
      `SELECT ${COLUMNS} FROM donations WHERE @status IS NULL OR status = @status
       ORDER BY created_at DESC, id LIMIT @limit`,
    )
    .all({ status: status ?? null, limit })
    .map(toDonation);
}

function toDonation(row: DonationRow): Donation {
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
