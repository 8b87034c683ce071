/** A donation as `donation create` writes it; a test names only what matters to it. */
import type { Database } from '#src/db/database.ts';
import type { AccountKey } from '#src/donations/account-key.ts';
import { parseLitecoinAddress } from '#src/donations/litecoin-address.ts';
import { createDonation, type NewDonation } from '#src/donations/write-donation.ts';

export const SAMPLE_ADDRESS = 'ltc1q926xvngs550375mwulnqvwtxyujxms9xtjnqra';
export const MINUTE_MS = 60_000;

type Overrides = Partial<Omit<NewDonation, 'to'>> & { readonly address?: string; readonly key?: AccountKey };

export function makeDonation(db: Database, overrides: Overrides = {}): string {
  const { address = SAMPLE_ADDRESS, key, network = 'main', createdAt = Date.now(), ...rest } = overrides;
  const to = parseLitecoinAddress(address, network);
  if (!to.ok) throw new Error(`${address} ${to.problem}`);
  return createDonation(db, {
    network,
    to: key ? { key } : to,
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
