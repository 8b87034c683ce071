import { formatLtc } from './amount.ts';
import type { Donation } from './donation.ts';

/** The missing amount in litoshi; 0 when it is enough. */
export function missingLitoshi(donation: Donation): number {
  return Math.max(0, donation.minimumLitoshi - donation.receivedLitoshi);
}

/** BIP21 in Litecoin's form, with what is still missing: wallets open it, and QR codes hold it. */
export function paymentUri(donation: Donation): string {
  return `litecoin:${donation.address}?amount=${formatLtc(missingLitoshi(donation))}`;
}
