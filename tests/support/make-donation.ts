/** A donation as `donation create` writes it; a test names only what matters to it. */
import type { Database } from '#src/db/database.ts';
import { parseLitecoinAddress } from '#src/donations/litecoin-address.ts';
import { createDonation, type NewDonation } from '#src/donations/write-donation.ts';

export const SAMPLE_ADDRESS = 'ltc1q926xvngs550375mwulnqvwtxyujxms9xtjnqra';
export const MINUTE_MS = 60_000;

type Overrides = Partial<NewDonation> & { readonly address?: string };

export function makeDonation(db: Database, overrides: Overrides = {}): string {
  const { address = SAMPLE_ADDRESS, network = 'main', created_at = Date.now(), ...rest } = overrides;
  const to = parseLitecoinAddress(address, network);
  if (!to.ok) throw new Error(`${address} ${to.problem}`);
  return createDonation(db, {
    network,
    to,
    minimum_litoshi: 12_500_000,
    rate_grosze: 33_680,
    premium_month_grosze: 2_000,
    premium_lifetime_grosze: 15_000,
    required_confirmations: 6,
    payerChatId: undefined,
    created_at,
    expires_at: created_at + 60 * MINUTE_MS,
    ...rest,
  });
}
