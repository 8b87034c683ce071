/**
 * A donation as the public may see it (SPEC 2.5): no payer, and nothing that leads to one. donation-status.ts is its life
 * as a pure state machine, watch-donations.ts looks at the chain for it, evaluate-donations.ts decides what that means, and
 * write-donation.ts writes it down.
 */
import { valueInGrosze } from './amount.ts';
import type { DonationStatus, RoleStatus } from './donation-status.ts';

export const PREMIUM_TIERS = ['monthly', 'lifetime'] as const;
export type PremiumTier = (typeof PREMIUM_TIERS)[number];

export interface Donation {
  readonly id: string;
  readonly address: string;
  readonly status: DonationStatus;
  /** Epoch milliseconds, as all times here. */
  readonly statusSince: number;
  readonly receivedLitoshi: number;
  /** The requested amount, and the least that is enough. */
  readonly minimumLitoshi: number;
  /** The price of 1 LTC in grosze when the donation was made. */
  readonly rateGrosze: number;
  readonly confirmations: number;
  readonly requiredConfirmations: number;
  /** The payment that completed the minimum; before that, the newest one. */
  readonly txId: string | null;
  readonly forwardTxId: string | null;
  readonly roleStatus: RoleStatus;
  readonly roleExpected: boolean;
  readonly premiumMonthGrosze: number;
  readonly premiumLifetimeGrosze: number;
  /** The payment came after expiresAt. */
  readonly isLate: boolean;
  /** The chain took back what it had shown. */
  readonly isReorganised: boolean;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Grows with every change that can be seen. */
  readonly revision: number;
}

/** The amount that the donation is about: what has arrived, and until then what is asked for. In grosze. */
export function amountInGrosze(donation: Donation): number {
  return valueInGrosze(donation.receivedLitoshi || donation.minimumLitoshi, donation.rateGrosze);
}

/** The tier that the amount buys; null below the price of a month. */
export function premiumTier(donation: Donation): PremiumTier | null {
  const grosze = amountInGrosze(donation);
  if (grosze >= donation.premiumLifetimeGrosze) return 'lifetime';
  return grosze >= donation.premiumMonthGrosze ? 'monthly' : null;
}
