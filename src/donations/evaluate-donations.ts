/** Derives the status of each open donation from its recorded outputs. */
import { sql, type Selectable } from 'kysely';
import { build, type Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import {
  isPaid,
  nextStatus,
  type DonationStatus,
  type Observation,
  type RoleStatus,
} from './donation-status.ts';
import { recordStatus, reviseDonation } from './write-donation.ts';

type OpenDonation = Selectable<Tables['donations']>;
type Output = Selectable<Tables['donation_outputs']>;

/** Donations that may still change. SQLite uses their partial index only for a literal 0. */
export const openDonations = build.selectFrom('donations').where('settled', '=', sql.lit(0));

export interface ChainState {
  readonly tip: number;
  /** Last answer of the node, which covers all donations; 0 before the first one. */
  readonly scannedAt: number;
  /** Epoch milliseconds, like all times here. */
  readonly now: number;
}

/** No reorganisation is expected to be deeper. */
const FINAL_DEPTH = 100;
/** A donation is settled this long after its deadline; a later payment reopens it. */
const FORGOTTEN_AFTER_MS = 30 * 24 * 60 * 60_000;

/**
 * Runs inside the caller's transaction. A donation expires only when the chain was read after its deadline, never by
 * time alone.
 * @returns the number of donations with a new status
 */
export function evaluateDonations(db: Database, chain: ChainState): number {
  const outputs = Map.groupBy(
    db.all(
      build
        .selectFrom('donation_outputs')
        .selectAll()
        .where('donation_id', 'in', openDonations.select('id'))
        .where('is_gone', '=', 0)
        .orderBy('height', (order) => order.asc().nullsLast())
        .orderBy('first_seen_at')
        .orderBy('tx_id')
        .orderBy('vout'),
    ),
    (output) => output.donation_id,
  );
  let moved = 0;
  for (const donation of db.all(openDonations.selectAll())) {
    if (evaluate(db, donation, outputs.get(donation.id) ?? [], chain)) moved += 1;
  }
  return moved;
}

/**
 * @param outputs oldest first
 * @returns whether the status changed
 */
function evaluate(
  db: Database,
  donation: OpenDonation,
  outputs: readonly Output[],
  { tip, scannedAt, now }: ChainState,
): boolean {
  const needed = takeNeeded(outputs, donation.minimum_litoshi);
  const newest = needed.at(-1);
  const spends = needed.filter(({ spent_by }) => spent_by !== null);
  const seen: Observation = {
    // An explorer is asked for one donation at a time.
    scannedAt: Math.max(scannedAt, donation.asked_at),
    expiresAt: donation.expires_at,
    minimumLitoshi: donation.minimum_litoshi,
    receivedLitoshi: outputs.reduce((sum, { litoshi }) => sum + litoshi, 0),
    confirmations: depthOf(newest?.height, tip),
    requiredConfirmations: donation.required_confirmations,
    forwarded:
      spends.length === 0
        ? 'no'
        : needed.every(({ spent_height }) => spent_height !== null)
          ? 'confirmed'
          : 'seen',
  };
  const status = nextStatus(donation.status, seen);
  const lost =
    seen.receivedLitoshi < donation.received_litoshi ||
    (seen.confirmations < donation.confirmations && seen.receivedLitoshi === donation.received_litoshi);
  const facts = {
    received_litoshi: seen.receivedLitoshi,
    confirmations: seen.confirmations,
    tx_id: newest?.tx_id ?? null,
    forward_tx_id: latestSpender(spends),
    role_status: nextRole(donation, status),
    is_late: Number(newest !== undefined && newest.first_seen_at > donation.expires_at),
    is_reorganised: isPaid(status) ? 0 : lost ? 1 : donation.is_reorganised,
  };
  const changed = Object.entries(facts).some(([key, value]) => donation[key as keyof typeof facts] !== value);
  if (changed) reviseDonation(db, donation.id, facts);
  if (status !== donation.status) recordStatus(db, donation.id, donation.status, status, now);
  if (isSettled(donation, status, { outputs, needed }, tip, now))
    db.run(build.updateTable('donations').set({ settled: 1 }).where('id', '=', donation.id));
  return status !== donation.status;
}

/** The oldest payments that reach the minimum, or all of them. */
function takeNeeded(outputs: readonly Output[], minimumLitoshi: number): Output[] {
  const needed: Output[] = [];
  let sum = 0;
  for (const output of outputs) {
    if (sum >= minimumLitoshi) break;
    needed.push(output);
    sum += output.litoshi;
  }
  return needed;
}

function depthOf(height: number | null | undefined, tip: number): number {
  return typeof height === 'number' ? Math.max(0, tip - height + 1) : 0;
}

function latestSpender(spends: readonly Output[]): string | null {
  const latest = spends.toSorted((a, b) => (a.spent_seen_at ?? 0) - (b.spent_seen_at ?? 0)).at(-1);
  return latest?.spent_by ?? null;
}

/** The role is expected from the confirmation on. */
function nextRole(donation: OpenDonation, status: DonationStatus): RoleStatus {
  const { role_status: role, role_expected: expected } = donation;
  if (isPaid(status)) return role === 'none' && expected === 1 ? 'waiting' : role;
  return role === 'waiting' ? 'none' : role;
}

function isSettled(
  donation: OpenDonation,
  status: DonationStatus,
  { outputs, needed }: { readonly outputs: readonly Output[]; readonly needed: readonly Output[] },
  tip: number,
  now: number,
): boolean {
  const isOld = now > donation.expires_at + FORGOTTEN_AFTER_MS;
  if (outputs.length === 0) return isOld && (status === 'expired' || status === 'failed');
  const isFinal = outputs.every(({ height }) => depthOf(height, tip) >= FINAL_DEPTH);
  if (status === 'forwarded')
    return isFinal && needed.every(({ spent_height: height }) => depthOf(height, tip) >= FINAL_DEPTH);
  return isFinal && isOld && (status === 'underpaid' || status === 'failed');
}
