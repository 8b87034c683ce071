/** Derives the status of each open donation from its recorded outputs. */
import { sql, type Selectable } from 'kysely';
import { sqlBuilder, type Transaction } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import {
  FINAL_DEPTH,
  isPaid,
  nextStatus,
  type DonationStatus,
  type Observation,
  type RoleStatus,
} from './donation-status.ts';
import type { ChainState } from './poll-context.ts';
import { isUnread } from './monitoring.ts';
import { CLOCK_OFF_MS } from './record-transaction.ts';
import { recordStatus, reviseDonation } from './write-donation.ts';

type OpenDonation = Selectable<Tables['donations']> & { readonly is_unread: number };
type Output = Selectable<Tables['donation_outputs']>;

/** Donations that may still change. SQLite uses their partial index only for a literal 0. */
export const openDonations = sqlBuilder.selectFrom('donations').where('settled', '=', sql.lit(0));

/** They may have been paid in blocks that the node has pruned. */
export const unreadDonations = openDonations
  .where(isUnread)
  .where('status', 'in', ['pending', 'underpaid', 'expired']);

/** A donation is settled this long after its deadline; a later payment reopens it. */
const FORGOTTEN_AFTER_MS = 30 * 24 * 60 * 60_000;

/**
 * A donation expires only when it was looked for after its deadline, and the newest block is later, too: this machine's
 * clock alone ends none.
 * @param now epoch milliseconds
 * @returns the number of donations with a new status
 */
export function evaluateDonations(tx: Transaction, chain: ChainState, now: number): number {
  bringBack(tx, Math.max(now, chain.tipAt));
  const { asked } = chain;
  const read = asked === 'all' ? openDonations : openDonations.where('id', 'in', asked);
  const outputs = Map.groupBy(
    tx.all(
      sqlBuilder
        .selectFrom('donation_outputs')
        .selectAll()
        .where('donation_id', 'in', read.select('id'))
        .where('is_gone', '=', 0)
        .orderBy('height', (order) => order.asc().nullsLast())
        .orderBy('first_seen_at')
        .orderBy('tx_id')
        .orderBy('vout'),
    ),
    (output) => output.donation_id,
  );
  let moved = 0;
  for (const donation of tx.all(read.selectAll().select(isUnread.as('is_unread')))) {
    if (evaluate(tx, donation, outputs.get(donation.id) ?? [], chain, now)) moved += 1;
  }
  return moved;
}

/** A donation from the future was made by a wrong clock: its time begins now, or it would never end. */
function bringBack(tx: Transaction, at: number): void {
  const early = sqlBuilder.updateTable('donations').where('settled', '=', sql.lit(0));
  tx.run(
    early.where('created_at', '>', at + CLOCK_OFF_MS).set((is) => ({
      expires_at: is(is('expires_at', '+', at), '-', is.ref('created_at')),
      created_at: at,
      revision: is('revision', '+', 1),
    })),
  );
}

/** @param outputs oldest first @returns whether the status changed */
function evaluate(
  tx: Transaction,
  donation: OpenDonation,
  outputs: readonly Output[],
  { tip, tipAt, scannedAt }: ChainState,
  now: number,
): boolean {
  const needed = takeNeeded(outputs, donation.minimum_litoshi);
  const newest = needed.at(-1);
  const spends = needed.filter(({ spent_by }) => spent_by !== null);
  const areSpent = needed.every(({ spent_height }) => spent_height !== null);
  const seen: Observation = {
    scannedAt: donation.is_unread === 1 ? 0 : Math.min(scannedAt, tipAt),
    expiresAt: donation.expires_at,
    minimumLitoshi: donation.minimum_litoshi,
    receivedLitoshi: outputs.reduce((sum, { litoshi }) => sum + litoshi, 0),
    confirmations: depthOf(newest?.height, tip),
    requiredConfirmations: donation.required_confirmations,
    forwarded: spends.length === 0 ? 'no' : areSpent ? 'confirmed' : 'seen',
  };
  const status = nextStatus(donation.status, seen);
  const facts = {
    received_litoshi: seen.receivedLitoshi,
    confirmations: seen.confirmations,
    tx_id: newest?.tx_id ?? null,
    forward_tx_id: latestSpender(spends),
    role_status: nextRole(donation, status),
    is_late: Number(newest !== undefined && newest.first_seen_at > donation.expires_at),
    is_reorganised: Number(!isPaid(status) && isTakenBack(donation, seen)),
  };
  const changed = Object.entries(facts).some(([key, value]) => donation[key as keyof typeof facts] !== value);
  if (changed) reviseDonation(tx, donation.id, facts);
  if (status !== donation.status) recordStatus(tx, donation.id, donation.status, status, now);
  if (isSettled(donation, status, outputs, { tip, at: Math.min(now, tipAt) }))
    tx.run(sqlBuilder.updateTable('donations').set({ settled: 1 }).where('id', '=', donation.id));
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

/** A payment vanished, or it lost its block and waits for another one. A new payment has lost nothing. */
function isTakenBack(before: OpenDonation, { receivedLitoshi, confirmations }: Observation): boolean {
  const had = before.received_litoshi;
  if (before.is_reorganised === 1 && (had > 0 || receivedLitoshi === 0)) return true;
  if (receivedLitoshi === 0) return had > 0;
  return receivedLitoshi <= had && confirmations === 0 && before.confirmations > 0;
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

/** A later spending reopens a paid donation. @param chain its height, and the earlier of its time and this machine's */
function isSettled(
  { expires_at: expiresAt }: OpenDonation,
  status: DonationStatus,
  outputs: readonly Output[],
  { tip, at }: { readonly tip: number; readonly at: number },
): boolean {
  const isFinal = outputs.every(
    ({ height, spent_by: spender, spent_height: spent }) =>
      depthOf(height, tip) >= FINAL_DEPTH && (spender === null || depthOf(spent, tip) >= FINAL_DEPTH),
  );
  const isOver = status === 'expired' || status === 'failed' || status === 'underpaid';
  return isFinal && (isPaid(status) || (isOver && at > expiresAt + FORGOTTEN_AFTER_MS));
}
