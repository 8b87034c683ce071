/** Writes donations for the operator's commands. evaluate-donations.ts writes what follows from the chain. */
import { randomBytes } from 'node:crypto';
import type { Insertable, Updateable } from 'kysely';
import { sqlBuilder, type Database, type Transaction } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { BadInputError } from '../operator-error.ts';
import type { AccountKey } from './account-key.ts';
import { writeAddressFile, type KeyIndexes } from './address-file.ts';
import { isPaid, type DonationStatus, type RoleStatus } from './donation-status.ts';

/** Random, because everyone with the ID may see the payment. */
const ID_BYTES = 16;

/** Times are epoch milliseconds. */
export type NewDonation = Pick<
  Insertable<Tables['donations']>,
  | 'network'
  | 'minimum_litoshi'
  | 'rate_grosze'
  | 'premium_month_grosze'
  | 'premium_lifetime_grosze'
  | 'required_confirmations'
  | 'created_at'
  | 'expires_at'
> & {
  readonly id?: string | undefined;
  /** An address, or the key for the next one. */
  readonly to: { readonly address: string; readonly script: string } | { readonly key: AccountKey };
  /** The user of the chat platform who gets the role. */
  readonly payerChatId: string | undefined;
};

/** In one transaction with its address. @throws {BadInputError} when the address is taken */
export function createDonation(db: Database, donation: NewDonation): string {
  const { id = `ltc_${randomBytes(ID_BYTES).toString('hex')}`, to, payerChatId, ...terms } = donation;
  return db.write((tx) => {
    const given = 'key' in to ? reserveAddress(tx, to.key) : { ...to, key_id: null, key_index: null };
    const { address, script, key_id, key_index } = given;
    const taken = findByScript(tx, script);
    if (taken) throw new BadInputError(`the address ${address} was given out already, to ${taken.id}`);
    const row = {
      id,
      ...terms,
      address,
      script,
      key_id,
      key_index,
      status: 'pending' as const,
      status_since: terms.created_at,
      role_expected: payerChatId === undefined ? 0 : 1,
    };
    tx.run(sqlBuilder.insertInto('donations').values(row));
    if (payerChatId !== undefined)
      tx.run(sqlBuilder.insertInto('donation_payers').values({ donation_id: id, chat_id: payerChatId }));
    return id;
  });
}

function findByScript(db: Database, script: string): { readonly id: string } | undefined {
  return db.first(sqlBuilder.selectFrom('donations').select('id').where('script', '=', script));
}

/** Returns the next unused address of the key. */
function reserveAddress(tx: Transaction, key: AccountKey) {
  const known = sqlBuilder.selectFrom('donation_keys').select('next_index').where('key_id', '=', key.keyId);
  let index = tx.first(known)?.next_index ?? 0;
  let place = key.derive(index);
  // The operator may have used addresses of this key elsewhere.
  while (findByScript(tx, place.script)) {
    index += 1;
    place = key.derive(index);
  }
  tx.run(sqlBuilder.replaceInto('donation_keys').values({ key_id: key.keyId, next_index: index + 1 }));
  // Before the commit, so that no index is told that the file does not hold.
  writeAddressFile(tx.path, listKeyIndexes(tx));
  return { ...place, key_id: key.keyId, key_index: index };
}

export function listKeyIndexes(db: Database): KeyIndexes {
  return db.all(sqlBuilder.selectFrom('donation_keys').select(['key_id', 'next_index']));
}

/**
 * Keeps a restored backup from giving an address to a second donor.
 * @param before the indexes of the replaced database, and of the file beside it: addresses continue there when one of them
 * is as new as the backup
 * @param skip number of addresses to skip otherwise, because some may be in use since the backup
 * @param newKeyId a key without an index, on a machine that had no database
 * @returns the first and the last skipped index of each key
 */
export function keepAddressesUnique(
  db: Database,
  { before, skip, newKeyId }: { before: KeyIndexes; skip: number; newKeyId: string | undefined },
) {
  const oldestFirst = before.toSorted((one, other) => one.next_index - other.next_index);
  const known = new Map(oldestFirst.map(({ key_id, next_index }) => [key_id, next_index]));
  return db.write((tx) => {
    const restored = new Map(listKeyIndexes(tx).map(({ key_id, next_index }) => [key_id, next_index]));
    const keyIds = [...restored.keys(), ...known.keys(), ...(newKeyId === undefined ? [] : [newKeyId])];
    return [...new Set(keyIds)].flatMap((keyId) => {
      const first = restored.get(keyId) ?? 0;
      const reached = known.get(keyId);
      const isContinued = reached !== undefined && reached >= first;
      const next = isContinued ? reached : first + skip;
      tx.run(sqlBuilder.replaceInto('donation_keys').values({ key_id: keyId, next_index: next }));
      return !isContinued && skip > 0 ? [{ keyId, first, last: next - 1 }] : [];
    });
  });
}

/** Unpaid addresses right before this one, undefined without an account key: wallets stop after a gap (BIP44). */
export function countUnpaidBefore(db: Database, id: string): number | undefined {
  const place = sqlBuilder.selectFrom('donations').select(['key_id', 'key_index']).where('id', '=', id);
  const { key_id: keyId, key_index: index } = db.first(place) ?? { key_id: null, key_index: null };
  if (keyId === null || index === null) return undefined;
  const paid = sqlBuilder
    .selectFrom('donations')
    .select('key_index')
    .where('key_id', '=', keyId)
    .where('key_index', '<', index)
    .where('received_litoshi', '>', 0)
    .orderBy('key_index', 'desc')
    .limit(1);
  return index - 1 - (db.first(paid)?.key_index ?? -1);
}

/** Records the role as the bot reports it. @throws {BadInputError} for an unknown or unpaid donation */
export function setRoleStatus(db: Database, id: string, roleStatus: RoleStatus): void {
  db.write((tx) => {
    const { status } = getStatus(tx, id);
    if (!isPaid(status))
      throw new BadInputError(`${id} is ${status}: a role can be given once it is confirmed`);
    reviseDonation(tx, id, { role_status: roleStatus, role_expected: 1 });
  });
}

/** Ends an unconfirmed donation. @throws {BadInputError} for an unknown donation, or when it is too late */
export function cancelDonation(db: Database, id: string, reason: string | undefined, now: number): void {
  db.write((tx) => {
    const { status } = getStatus(tx, id);
    if (isPaid(status) || status === 'failed')
      throw new BadInputError(`${id} is ${status} and cannot be cancelled`);
    recordStatus(tx, id, status, 'failed', now, reason);
  });
}

export function recordStatus(
  tx: Transaction,
  id: string,
  from: DonationStatus,
  to: DonationStatus,
  now: number,
  reason?: string,
): void {
  reviseDonation(tx, id, { status: to, status_since: now });
  const transition = { donation_id: id, at: now, from_status: from, to_status: to, reason: reason ?? null };
  tx.run(sqlBuilder.insertInto('donation_transitions').values(transition));
}

/** For public changes. */
export function reviseDonation(tx: Transaction, id: string, changes: Updateable<Tables['donations']>): void {
  const revised = sqlBuilder.updateTable('donations').set(changes).where('id', '=', id);
  tx.run(revised.set((is) => ({ revision: is('revision', '+', 1) })));
}

function getStatus(db: Database, id: string): { status: DonationStatus } {
  const row = db.first(sqlBuilder.selectFrom('donations').select('status').where('id', '=', id));
  if (!row) throw new BadInputError(`there is no donation ${id}`);
  return row;
}
