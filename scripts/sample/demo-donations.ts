/** Stored donations that show every state without a node. Their addresses are of a regtest network: nobody can pay them. */
import { createHash } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import type { Updateable } from 'kysely';
import { sqlBuilder, type Database } from '#src/db/database.ts';
import type { Tables } from '#src/db/tables.ts';
import { parseAccountKey, type AccountKey } from '#src/donations/account-key.ts';
import type { DonationStatus } from '#src/donations/donation-status.ts';
import { findDonation } from '#src/donations/find-donation.ts';
import { createDonation } from '#src/donations/write-donation.ts';
import { DEMO_TERMS } from './demo-settings.ts';
import { MINUTE_MS } from '#src/text/calendar.ts';

/** First bytes of extended keys on test networks. */
const TEST_VERSIONS = { public: 0x043587cf, private: 0x04358394 };

/** Minutes are counted from the time of filling. */
type DemoDonation = readonly [
  status: DonationStatus,
  created: number,
  expires: number,
  facts?: Updateable<Tables['donations']>,
];

const PAID = { received_litoshi: DEMO_TERMS.minimum_litoshi, tx_id: hashOf('payment') };
const TOO_LITTLE = { ...PAID, received_litoshi: 10_000_000 };
const FORWARDED = { ...PAID, forward_tx_id: hashOf('forwarding') };
const DAY = 24 * 60;
/** Lasts, so that a demo of yesterday still has one. */
const MONTH = 30 * DAY;

/** The names are those of the pages in tests and screenshots. */
const DONATIONS = {
  pending: ['pending', -10, MONTH],
  seen: ['seen', -10, 50, PAID],
  confirming: ['confirming', -20, 40, { ...PAID, confirmations: 2, role_expected: 1 }],
  reorganised: ['seen', -30, 30, { ...PAID, is_reorganised: 1 }],
  underpaid: ['underpaid', -10, MONTH, TOO_LITTLE],
  'underpaid-closed': ['underpaid', -90, -30, TOO_LITTLE],
  confirmed: ['confirmed', -40, 20, { ...PAID, confirmations: 6, role_status: 'waiting' }],
  forwarding: ['forwarding', -60, 0, { ...FORWARDED, confirmations: 8, role_status: 'failed' }],
  forwarded: [
    'forwarded',
    -DAY,
    -DAY + 60,
    { ...FORWARDED, received_litoshi: 50_000_000, confirmations: 42, role_status: 'done' },
  ],
  late: ['confirming', -120, -60, { ...PAID, confirmations: 1, is_late: 1 }],
  expired: ['expired', -120, -60],
  failed: ['failed', -120, -60, { ...PAID, confirmations: 9 }],
  cancelled: ['failed', -120, -60],
  overpaid: ['confirming', -20, 40, { ...PAID, received_litoshi: 20_000_000, confirmations: 3 }],
  vanished: ['pending', -10, MONTH, { is_reorganised: 1 }],
  ending: ['pending', -53, 7],
  // Expired, and the chain was not checked since.
  unchecked: ['pending', -120, -60],
} as const satisfies Record<string, DemoDonation>;

export type DemoDonationName = keyof typeof DONATIONS;
export const DEMO_DONATION_NAMES = Object.keys(DONATIONS) as DemoDonationName[];

export function demoDonationId(name: DemoDonationName): string {
  return `ltc_${hashOf(`id of ${name}`).slice(0, 32)}`;
}

/** @param now epoch milliseconds */
export function storeDemoDonations(db: Database, now: number): void {
  const key = getDemoKey();
  const donations = Object.entries<DemoDonation>(DONATIONS);
  db.write((tx) => {
    for (const [index, [name, [status, created, expires, facts]]] of donations.entries()) {
      const id = demoDonationId(name as DemoDonationName);
      if (findDonation(tx, id)) continue;
      createDonation(tx, {
        id,
        to: key.derive(index),
        ...DEMO_TERMS,
        required_confirmations: 6,
        created_at: now + created * MINUTE_MS,
        expires_at: now + expires * MINUTE_MS,
      });
      // A chain watch treats one without a payment like any other, and leaves a settled one alone.
      if (status === 'pending' && !facts) continue;
      const outcome = { ...facts, status, status_since: now + (created + 5) * MINUTE_MS, settled: 1 };
      tx.run(sqlBuilder.updateTable('donations').set(outcome).where('id', '=', id));
    }
  });
}

/** Derives the addresses of the demo. The private key is public: its seed stands here. */
export function getDemoKey(): AccountKey {
  const master = HDKey.fromMasterSeed(createHash('sha256').update('Czujka demo').digest(), TEST_VERSIONS);
  const parsed = parseAccountKey(master.derive("m/84'/1'/0'").publicExtendedKey, 'regtest');
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.key;
}

function hashOf(text: string): string {
  return createHash('sha256').update(`Czujka demo: ${text}`).digest('hex');
}
