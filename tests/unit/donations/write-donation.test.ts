import { beforeEach, expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import type { AccountKey } from '#src/donations/account-key.ts';
import {
  cancelDonation,
  countUnpaidBefore,
  keepAddressesUnique,
  listKeyIndexes,
  setRoleStatus,
  type NewDonation,
} from '#src/donations/write-donation.ts';
import { BadInputError } from '#src/operator-error.ts';
import { makeDonation } from '../../support/make-donation.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const derive = (index: number) => ({ address: `address ${index}`, script: `00${index}` });
const KEY: AccountKey = { keyId: 'key', derive };

let db: Database;
const derived = (to: NewDonation['to'] = { key: KEY }): string => makeDonation(db, { to });
const addressOf = (id: string): unknown =>
  db.statement('SELECT address FROM donations WHERE id = ?').pluck().get(id);
const become = (id = '', status = '', litoshi = 0): void => {
  const update = db.statement('UPDATE donations SET status = ?, received_litoshi = ? WHERE id = ?');
  update.run(status, litoshi, id);
};

beforeEach(async () => {
  db = await makeDatabase();
});

it('gets the next address of the key that no donation has', () => {
  expect(addressOf(derived())).toBe('address 0');
  derived(KEY.derive(1));
  expect(addressOf(derived())).toBe('address 2');
  expect(listKeyIndexes(db)).toEqual([{ key_id: 'key', next_index: 3 }]);
});

it('takes no address that another one has, and reserves nothing then', () => {
  const id = derived();
  expect(() => derived(KEY.derive(0))).toThrow(BadInputError);
  expect(() => derived(KEY.derive(0))).toThrow(`given out already, to ${id}`);
  expect(listKeyIndexes(db)).toEqual([{ key_id: 'key', next_index: 1 }]);
});

it('tells how many addresses before it have received nothing', () => {
  const ids = Array.from({ length: 4 }, () => derived());
  become(ids[1], 'confirmed', 5);
  expect(ids.map((id) => countUnpaidBefore(db, id))).toEqual([0, 1, 0, 1]);
  expect(countUnpaidBefore(db, makeDonation(db))).toBeUndefined();
});

it('is cancelled until it is confirmed, and gets a role from then on', () => {
  const [open = '', paid = ''] = [derived(), derived()];
  become(paid, 'confirmed');
  expect(() => setRoleStatus(db, open, 'done')).toThrow('a role can be given once it is confirmed');
  expect(() => cancelDonation(db, paid, undefined, 9)).toThrow('cannot be cancelled');
  expect(() => cancelDonation(db, 'ltc_none', undefined, 9)).toThrow('there is no donation ltc_none');
  setRoleStatus(db, paid, 'failed');
  cancelDonation(db, open, 'na prośbę', 9);
  expect(db.statement('SELECT status, role_status FROM donations ORDER BY key_index').all()).toEqual([
    { status: 'failed', role_status: 'none' },
    { status: 'confirmed', role_status: 'failed' },
  ]);
  expect(db.statement('SELECT at, to_status, reason FROM donation_transitions').all()).toEqual([
    { at: 9, to_status: 'failed', reason: 'na prośbę' },
  ]);
});

it.each([
  ['goes on where the replaced database was', [{ key_id: 'key', next_index: 5 }], 5, []],
  ['passes addresses over where the backup was further', [{ key_id: 'key', next_index: 1 }], 12, [[2, 11]]],
  ['passes addresses over where nothing was known of the key', [], 12, [[2, 11]]],
])('%s when a backup has taken its place', (_how, before, next, skipped) => {
  derived();
  derived();
  const told = keepAddressesUnique(db, { before, skip: 10, newKeyId: undefined });
  expect(told).toEqual(skipped.map(([first, last]) => ({ keyId: 'key', first, last })));
  expect(listKeyIndexes(db)).toEqual([{ key_id: 'key', next_index: next }]);
});

it('passes addresses over of a key that nobody knows on a new machine', () => {
  const [skipped] = keepAddressesUnique(db, { before: [], skip: 20, newKeyId: 'new' });
  expect(skipped).toEqual({ keyId: 'new', first: 0, last: 19 });
});
