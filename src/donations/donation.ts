/**
 * The public part of a donation (SPEC 2.5), without its payer. donation-status.ts is the state machine,
 * watch-donations.ts reads the chain, evaluate-donations.ts decides and write-donation.ts writes.
 */
import { formatLtc, valueInGrosze } from './amount.ts';
import type { DonationStatus, RoleStatus } from './donation-status.ts';

export const PREMIUM_TIERS = ['monthly', 'lifetime'] as const;
export type PremiumTier = (typeof PREMIUM_TIERS)[number];

export interface Donation {
  readonly id: string;
  readonly address: string;
  readonly status: DonationStatus;
  /** Epoch milliseconds, like all times here. */
  readonly statusSince: number;
  readonly receivedLitoshi: number;
  readonly minimumLitoshi: number;
  /** The price of 1 LTC when the donation was created. */
  readonly rateGrosze: number;
  readonly confirmations: number;
  readonly requiredConfirmations: number;
  /** The payment that completed the minimum; until then, the newest one. */
  readonly txId: string | null;
  readonly forwardTxId: string | null;
  readonly roleStatus: RoleStatus;
  readonly roleExpected: boolean;
  readonly premiumMonthGrosze: number;
  readonly premiumLifetimeGrosze: number;
  readonly isLate: boolean;
  readonly isReorganised: boolean;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Grows with every visible change. */
  readonly revision: number;
}

/** The received amount; until then, the requested one. */
export function amountInGrosze(donation: Donation): number {
  return valueInGrosze(donation.receivedLitoshi || donation.minimumLitoshi, donation.rateGrosze);
}

/** Null below the price of a month. */
export function premiumTier(donation: Donation): PremiumTier | null {
  const grosze = amountInGrosze(donation);
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
