/**
 * The public part of a donation (SPEC 2.5), without its payer. donation-status.ts is the state machine,
 * watch-donations.ts reads the chain, evaluate-donations.ts decides and write-donation.ts writes.
 */
import type { Selectable } from 'kysely';
import type { Tables } from '../db/tables.ts';
import { formatLtc, valueInGrosze } from './amount.ts';
import { isPaid } from './donation-status.ts';

export const PREMIUM_TIERS = ['monthly', 'lifetime'] as const;
export type PremiumTier = (typeof PREMIUM_TIERS)[number];

export type Donation = Readonly<ReturnType<typeof toDonation>>;

/** Public columns only: donation_payers is never joined here. Times are epoch milliseconds. */
export function toDonation(
  row: Selectable<Tables['donations']> & { confirmed_litoshi: number | null; is_unread: number },
) {
  return {
    id: row.id,
    address: row.address,
    status: row.status,
    statusSince: row.status_since,
    receivedLitoshi: row.received_litoshi,
    /** The part of it that has all confirmations; null before the first payment. */
    confirmedLitoshi: row.confirmed_litoshi,
    minimumLitoshi: row.minimum_litoshi,
    /** The price of 1 LTC when the donation was created. */
    rateGrosze: row.rate_grosze,
    confirmations: row.confirmations,
    requiredConfirmations: row.required_confirmations,
    /** The payment that completed the minimum; until then, the newest one. */
    txId: row.tx_id,
    forwardTxId: row.forward_tx_id,
    roleStatus: row.role_status,
    roleExpected: row.role_expected === 1,
    premiumMonthGrosze: row.premium_month_grosze,
    premiumLifetimeGrosze: row.premium_lifetime_grosze,
    isLate: row.is_late === 1,
    isReorganised: row.is_reorganised === 1,
    /** The node has pruned blocks that may hold the missing payment. */
    isUnread: row.is_unread === 1 && row.received_litoshi < row.minimum_litoshi,
    /** Last time at which an explorer was asked about it; 0 without one. */
    askedAt: row.asked_at,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    /** Grows with every visible change. */
    revision: row.revision,
  };
}

/** The received amount; until then, the requested one. */
export function amountInGrosze(donation: Donation): number {
  return valueInGrosze(donation.receivedLitoshi || donation.minimumLitoshi, donation.rateGrosze);
}

/** Null below the price of a month. What is not confirmed yet buys no more than what was asked for. */
export function premiumTier(donation: Donation): PremiumTier | null {
  const { status, receivedLitoshi, confirmedLitoshi, minimumLitoshi, rateGrosze } = donation;
  const counted = isPaid(status)
    ? (confirmedLitoshi ?? receivedLitoshi)
    : Math.min(receivedLitoshi || minimumLitoshi, minimumLitoshi);
  const grosze = valueInGrosze(counted, rateGrosze);
  if (grosze >= donation.premiumLifetimeGrosze) return 'lifetime';
  return grosze >= donation.premiumMonthGrosze ? 'monthly' : null;
}

export function missingLitoshi(donation: Donation): number {
  return Math.max(0, donation.minimumLitoshi - donation.receivedLitoshi);
}

/** BIP21 in Litecoin's form, for wallets and QR codes. */
export function paymentUri(donation: Donation): string {
  return `litecoin:${donation.address}?amount=${formatLtc(missingLitoshi(donation))}`;
}
