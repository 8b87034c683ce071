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
import { DEMO_PRICES, DEMO_RATE_GROSZE } from './demo-settings.ts';

/** First bytes of extended keys on test networks. */
const TEST_VERSIONS = { public: 0x043587cf, private: 0x04358394 };
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const ASKED = 12_500_000;

interface DemoDonation extends Updateable<Tables['donations']> {
  readonly status: DonationStatus;
  /** Minutes from the time of filling. */
  readonly created: number;
  readonly expires: number;
}

const PAID = { received_litoshi: ASKED, tx_id: hashOf('payment') };

/** The names are those of the pages in tests and screenshots. */
const DONATIONS = {
  // Lasts, so that a demo of yesterday still has one.
  pending: { status: 'pending', created: -10, expires: 30 * 24 * 60 },
  seen: { status: 'seen', created: -10, expires: 50, ...PAID },
  confirming: { status: 'confirming', created: -20, expires: 40, ...PAID, confirmations: 2 },
  reorganised: { status: 'seen', created: -30, expires: 30, ...PAID, is_reorganised: 1 },
  underpaid: {
    status: 'underpaid',
    created: -10,
    expires: 30 * 24 * 60,
    ...PAID,
    received_litoshi: 10_000_000,
  },
  'underpaid-closed': {
    status: 'underpaid',
    created: -90,
    expires: -30,
    ...PAID,
    received_litoshi: 10_000_000,
  },
  confirmed: {
    status: 'confirmed',
    created: -40,
    expires: 20,
    ...PAID,
    confirmations: 6,
    role_status: 'waiting',
  },
  forwarding: {
    status: 'forwarding',
    created: -60,
    expires: 0,
    ...PAID,
    confirmations: 8,
    forward_tx_id: hashOf('forwarding'),
    role_status: 'failed',
  },
  forwarded: {
    status: 'forwarded',
    created: -DAY_MS / MINUTE_MS,
    expires: -DAY_MS / MINUTE_MS + 60,
    ...PAID,
    received_litoshi: 50_000_000,
    confirmations: 42,
    forward_tx_id: hashOf('forwarding'),
    role_status: 'done',
  },
  late: { status: 'confirming', created: -120, expires: -60, ...PAID, confirmations: 1, is_late: 1 },
  expired: { status: 'expired', created: -120, expires: -60 },
  failed: { status: 'failed', created: -120, expires: -60, ...PAID, confirmations: 9 },
  cancelled: { status: 'failed', created: -120, expires: -60 },
  overpaid: {
    status: 'confirming',
    created: -20,
    expires: 40,
    ...PAID,
    received_litoshi: 20_000_000,
    confirmations: 3,
  },
  vanished: { status: 'pending', created: -10, expires: 30 * 24 * 60, is_reorganised: 1 },
  ending: { status: 'pending', created: -53, expires: 7 },
  // Expired, and the chain was not checked since.
  unchecked: { status: 'pending', created: -120, expires: -60 },
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
  db.write(() => {
    for (const [index, [name, { created, expires, status, ...facts }]] of donations.entries()) {
      const id = demoDonationId(name as DemoDonationName);
      if (findDonation(db, id)) continue;
      createDonation(db, {
        id,
        network: 'regtest',
        to: key.derive(index),
        minimumLitoshi: ASKED,
        rateGrosze: DEMO_RATE_GROSZE,
        ...DEMO_PRICES,
        requiredConfirmations: 6,
        payerChatId: undefined,
        createdAt: now + created * MINUTE_MS,
        expiresAt: now + expires * MINUTE_MS,
      });
      if (isOpen(status, facts)) continue;
      // Settled, so that no chain watch changes it.
      const outcome = { ...facts, status, status_since: now + (created + 5) * MINUTE_MS, settled: 1 };
      db.run(sqlBuilder.updateTable('donations').set(outcome).where('id', '=', id));
    }
  });
}

/** Without a payment; a chain watch treats it like any other donation. */
function isOpen(status: DonationStatus, facts: object): boolean {
  return status === 'pending' && Object.keys(facts).length === 0;
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
