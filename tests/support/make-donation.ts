/** A donation as `donation create` writes it or `donation import` reads it; a test names only what matters to it. */
import type { Database } from '#src/db/database.ts';
import { parseLitecoinAddress } from '#src/donations/litecoin-address.ts';
import { createDonation } from '#src/donations/write-donation.ts';
import type { NewDonation } from '#src/donations/write-donation.ts';

export const SAMPLE_ADDRESS = 'ltc1q926xvngs550375mwulnqvwtxyujxms9xtjnqra';
export const MINUTE_MS = 60_000;

type Overrides = Partial<Omit<NewDonation, 'to'>> & { readonly address?: string };

/** @returns its ID */
export function makeDonation(db: Database, overrides: Overrides = {}): string {
  const { address = SAMPLE_ADDRESS, network = 'main', createdAt = Date.now(), ...rest } = overrides;
  const to = parseLitecoinAddress(address, network);
  if (!to.ok) throw new Error(`${address} ${to.problem}`);
  return createDonation(db, {
    network,
    to,
    minimumLitoshi: 12_500_000,
    rateGrosze: 33_680,
    premiumMonthGrosze: 2_000,
    premiumLifetimeGrosze: 15_000,
    requiredConfirmations: 6,
    payerChatId: undefined,
    createdAt,
    expiresAt: createdAt + 60 * MINUTE_MS,
    ...rest,
  });
}

/** As `donation import` reads it: one that waits for its payment. */
export const DONATION_RECORD = {
  id: `ltc_${'0a'.repeat(16)}`,
  address: SAMPLE_ADDRESS,
  minimumLtc: 0.125,
  ratePln: 336.8,
  premiumMonthPln: 20,
  premiumLifetimePln: 150,
  requiredConfirmations: 6,
  createdAt: '2026-10-01T12:00:00Z',
  expiresAt: '2026-10-01T13:00:00Z',
};
