import { toLtc, toPln } from './amount.ts';
import { amountInGrosze, premiumTier } from './donation.ts';
import type { Donation } from './donation.ts';
import { donationError } from './donation-error.ts';

/** SPEC 2.5, its keys in its order. */
export function toDonationJson(donation: Donation, now: number) {
  return {
    id: donation.id,
    address: donation.address,
    status: donation.status,
    receivedLtc: toLtc(donation.receivedLitoshi),
    amountPln: toPln(amountInGrosze(donation)),
    confirmations: donation.confirmations,
    requiredConfirmations: donation.requiredConfirmations,
    minimumLtc: toLtc(donation.minimumLitoshi),
    txId: donation.txId,
    forwardTxId: donation.forwardTxId,
    roleStatus: donation.roleStatus,
    premiumTier: premiumTier(donation),
    premiumMonthPln: toPln(donation.premiumMonthGrosze),
    premiumLifetimePln: toPln(donation.premiumLifetimeGrosze),
    error: donationError(donation, now),
    createdAt: new Date(donation.createdAt).toISOString(),
    expiresAt: new Date(donation.expiresAt).toISOString(),
  };
}
