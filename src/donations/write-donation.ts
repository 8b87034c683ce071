/** Where the operator's commands write donations. What the chain says of them is written by evaluate-donations.ts. */
import type { Database } from '../db/database.ts';
import type { AccountKey } from './account-key.ts';
import { createDonationId } from './donation-id.ts';
import { isPaid, mayFollow } from './donation-status.ts';
import type { DonationStatus, RoleStatus } from './donation-status.ts';
import type { Network } from './litecoin-network.ts';

/** The donation cannot be written as it was asked for; the message is for the operator. */
export class DonationProblem extends Error {
  override name = 'DonationProblem';
}

export interface NewDonation {
  /** Made when it is not given. */
  readonly id?: string | undefined;
  readonly network: Network;
  /** An address of the operator's, or the key whose next one is taken. */
  readonly to: { readonly address: string; readonly script: string } | { readonly key: AccountKey };
  readonly minimumLitoshi: number;
  readonly rateGrosze: number;
  readonly premiumMonthGrosze: number;
  readonly premiumLifetimeGrosze: number;
  readonly requiredConfirmations: number;
  /** Who gets the role, on the chat platform. */
  readonly payerChatId: string | undefined;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** How it ended; only invented donations are written with it. */
  readonly outcome?: DonationOutcome | undefined;
}

export interface DonationOutcome {
  readonly status: DonationStatus;
  readonly statusSince: number;
  readonly receivedLitoshi: number;
  readonly confirmations: number;
  readonly txId: string | null;
  readonly forwardTxId: string | null;
  readonly roleStatus: RoleStatus;
  readonly isLate?: boolean;
  readonly isReorganised?: boolean;
}

/**
 * One transaction: an address that was derived is reserved together with the donation that gets it.
 * @returns its ID
 * @throws {DonationProblem} when ID or address are taken
 */
export function createDonation(db: Database, donation: NewDonation): string {
  return db.write(() => insertDonation(db, donation));
}

function insertDonation(db: Database, donation: NewDonation): string {
  const id = donation.id ?? createDonationId();
  if (db.statement('SELECT 1 FROM donations WHERE id = ?').get(id))
    throw new DonationProblem(`there is a donation ${id} already`);
  const { to, outcome } = donation;
  const place = 'key' in to ? reserveAddress(db, to.key) : { ...to, keyId: null, index: null };
  const taken = db.statement<{ id: string }>('SELECT id FROM donations WHERE script = ?').get(place.script);
  if (taken) throw new DonationProblem(`the address ${place.address} was given out already, to ${taken.id}`);
  db.statement(
    `INSERT INTO donations (id, network, address, script, key_id, key_index, status, status_since, minimum_litoshi,
       received_litoshi, rate_grosze, premium_month_grosze, premium_lifetime_grosze, confirmations,
       required_confirmations, tx_id, forward_tx_id, role_status, role_expected, is_late, is_reorganised,
       created_at, expires_at, settled)
     VALUES (@id, @network, @address, @script, @keyId, @index, @status, @statusSince, @minimumLitoshi,
       @receivedLitoshi, @rateGrosze, @premiumMonthGrosze, @premiumLifetimeGrosze, @confirmations,
       @requiredConfirmations, @txId, @forwardTxId, @roleStatus, @roleExpected, @isLate, @isReorganised, @createdAt, @expiresAt, @settled)`,
  ).run({
    id,
    network: donation.network,
    ...place,
    status: outcome?.status ?? 'pending',
    statusSince: outcome?.statusSince ?? donation.createdAt,
    minimumLitoshi: donation.minimumLitoshi,
    receivedLitoshi: outcome?.receivedLitoshi ?? 0,
    rateGrosze: donation.rateGrosze,
    premiumMonthGrosze: donation.premiumMonthGrosze,
    premiumLifetimeGrosze: donation.premiumLifetimeGrosze,
    confirmations: outcome?.confirmations ?? 0,
    requiredConfirmations: donation.requiredConfirmations,
    txId: outcome?.txId ?? null,
    forwardTxId: outcome?.forwardTxId ?? null,
    roleStatus: outcome?.roleStatus ?? 'none',
    roleExpected: donation.payerChatId === undefined ? 0 : 1,
    isLate: Number(outcome?.isLate ?? false),
    isReorganised: Number(outcome?.isReorganised ?? false),
    createdAt: donation.createdAt,
    expiresAt: donation.expiresAt,
    settled: outcome ? 1 : 0,
  });
  if (donation.payerChatId !== undefined)
    db.statement('INSERT INTO donation_payers (donation_id, chat_id) VALUES (?, ?)').run(
      id,
      donation.payerChatId,
    );
  return id;
}

/** The next address of the key that no donation has; runs inside the transaction of the donation that gets it. */
function reserveAddress(db: Database, key: AccountKey) {
  const row = db
    .statement<{ next_index: number }>('SELECT next_index FROM donation_keys WHERE key_id = ?')
    .get(key.keyId);
  let index = row?.next_index ?? 0;
  let place = key.derive(index);
  // The operator may have given out addresses of this key by hand.
  while (db.statement('SELECT 1 FROM donations WHERE script = ?').get(place.script)) {
    index += 1;
    place = key.derive(index);
  }
  db.statement('INSERT OR REPLACE INTO donation_keys (key_id, next_index) VALUES (?, ?)').run(
    key.keyId,
    index + 1,
  );
  return { ...place, keyId: key.keyId, index };
}

/** How far the addresses of an account key have been given out. */
export interface KeyIndex {
  readonly key_id: string;
  /** Of the next address on the external chain. */
  readonly next_index: number;
}

export function listKeyIndexes(db: Database): KeyIndex[] {
  return db.statement<KeyIndex>('SELECT key_id, next_index FROM donation_keys').all();
}

/** Addresses of a key that are passed over, from the first to the last index. */
export interface SkippedAddresses {
  readonly keyId: string;
  readonly first: number;
  readonly last: number;
}

/**
 * After a backup has taken the place of a database: no address may go to a second donor.
 * @param before how far the replaced database was. Where it was at least as far as the backup, the addresses go on from
 *   there; where it was not, or knew nothing of a key, nobody knows what was given out since the backup
 * @param skip so many addresses are passed over then
 * @param newKeyId of a key that neither may know, on a machine that had no database
 */
export function keepAddressesUnique(
  db: Database,
  { before, skip, newKeyId }: { before: readonly KeyIndex[]; skip: number; newKeyId: string | undefined },
): SkippedAddresses[] {
  const known = new Map(before.map(({ key_id, next_index }) => [key_id, next_index]));
  return db.write(() => {
    const restored = new Map(listKeyIndexes(db).map(({ key_id, next_index }) => [key_id, next_index]));
    const keyIds = new Set([
      ...restored.keys(),
      ...known.keys(),
      ...(newKeyId === undefined ? [] : [newKeyId]),
    ]);
    const skipped: SkippedAddresses[] = [];
    for (const keyId of keyIds) {
      const first = restored.get(keyId) ?? 0;
      const reached = known.get(keyId);
      const isContinued = reached !== undefined && reached >= first;
      const next = isContinued ? reached : first + skip;
      db.statement('INSERT OR REPLACE INTO donation_keys (key_id, next_index) VALUES (?, ?)').run(
        keyId,
        next,
      );
      if (!isContinued && skip > 0) skipped.push({ keyId, first, last: next - 1 });
    }
    return skipped;
  });
}

/**
 * How many addresses right before this donation's have received nothing that is known here; undefined when its address
 * is not of an account key. Wallets stop looking after so many (BIP44's gap limit).
 */
export function countUnpaidBefore(db: Database, id: string): number | undefined {
  return db
    .statement<{ unpaid: number }>(
      `SELECT made.key_index - 1 - coalesce((SELECT max(paid.key_index) FROM donations AS paid
         WHERE paid.key_id = made.key_id AND paid.key_index < made.key_index AND paid.received_litoshi > 0), -1) AS unpaid
       FROM donations AS made WHERE made.id = ? AND made.key_index IS NOT NULL`,
    )
    .get(id)?.unpaid;
}

/**
 * What became of the role, as the bot that gives it says.
 * @throws {DonationProblem} when there is no such donation, or it is not paid
 */
export function setRoleStatus(db: Database, id: string, roleStatus: RoleStatus): void {
  db.write(() => {
    const { status } = getStatus(db, id);
    if (!isPaid(status))
      throw new DonationProblem(`${id} is ${status}: a role can be given once it is confirmed`);
    db.statement(
      'UPDATE donations SET role_status = ?, role_expected = 1, revision = revision + 1 WHERE id = ?',
    ).run(roleStatus, id);
  });
}

/**
 * Ends a donation that is not confirmed yet.
 * @throws {DonationProblem} when there is no such donation, or it cannot be cancelled any more
 */
export function cancelDonation(db: Database, id: string, reason: string | undefined, now: number): void {
  db.write(() => {
    const { status } = getStatus(db, id);
    if (!mayFollow(status, 'failed')) throw new DonationProblem(`${id} is ${status} and cannot be cancelled`);
    recordStatus(db, id, status, 'failed', now, reason);
  });
}

/** Inside a transaction of the caller's. @throws when the table of transitions does not allow it */
export function recordStatus(
  db: Database,
  id: string,
  from: DonationStatus,
  to: DonationStatus,
  now: number,
  reason?: string,
): void {
  if (!mayFollow(from, to)) throw new Error(`donation ${id} cannot go from ${from} to ${to}`);
  db.statement('UPDATE donations SET status = ?, status_since = ?, revision = revision + 1 WHERE id = ?').run(
    to,
    now,
    id,
  );
  db.statement(
    'INSERT INTO donation_transitions (donation_id, at, from_status, to_status, reason) VALUES (?, ?, ?, ?, ?)',
  ).run(id, now, from, to, reason ?? null);
}

function getStatus(db: Database, id: string): { status: DonationStatus } {
  const row = db.statement<{ status: DonationStatus }>('SELECT status FROM donations WHERE id = ?').get(id);
  if (!row) throw new DonationProblem(`there is no donation ${id}`);
  return row;
}
