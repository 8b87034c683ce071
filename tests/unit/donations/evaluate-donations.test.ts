import { beforeEach, expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import { evaluateDonations } from '#src/donations/evaluate-donations.ts';
import { premiumTier } from '#src/donations/donation.ts';
import { findDonation } from '#src/donations/find-donation.ts';
import { makeDonation, MINUTE_MS } from '../../support/make-donation.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const CREATED_AT = Date.parse('2026-11-20T12:00:00Z');
const SOON = CREATED_AT + 2;
const EXPIRES_AT = CREATED_AT + 60 * MINUTE_MS;
const FORGOTTEN_AT = EXPIRES_AT + 31 * 24 * 60 * MINUTE_MS;
const AHEAD_MS = 1_500 * 24 * 60 * MINUTE_MS;
const NEEDED = 12_500_000;

interface Payment {
  readonly litoshi?: number;
  readonly height?: number;
  readonly at?: number;
  readonly spentBy?: string;
  readonly spentHeight?: number;
  readonly spentAt?: number;
}

let db: Database;
let id: string;
let paid: number;

beforeEach(async () => {
  db = await makeDatabase();
  paid = 0;
  id = makeDonation(db, { created_at: CREATED_AT, payerChatId: '280864204968068869' });
});

const pay = ({ litoshi = NEEDED, height, at = CREATED_AT + 1, spentBy, spentHeight, spentAt }: Payment) => {
  paid += 1;
  db.statement(
    `INSERT INTO donation_outputs (tx_id, vout, donation_id, litoshi, height, first_seen_at, kind, spent_by,
       spent_height, spent_seen_at) VALUES (?, 0, ?, ?, ?, ?, 'plain', ?, ?, ?)`,
  ).run(`payment ${paid}`, id, litoshi, height, at, spentBy, spentHeight, spentAt);
};
/** The clock, the time of the last look, and that of the newest block. */
const evaluate = (tip: number, now = SOON, scannedAt = now, tipAt = scannedAt) => {
  db.write((tx) => evaluateDonations(tx, { tip, tipAt, scannedAt, asked: 'all' }, now));
  const shown = `status, received_litoshi AS received, confirmations, tx_id AS tx, forward_tx_id AS forward,
    role_status AS role, is_late AS late, is_reorganised AS reorganised, settled`;
  return db.statement<Record<string, unknown>>(`SELECT ${shown} FROM donations`).get();
};

it.each<[string, Payment[], object]>([
  ['waits', [], { status: 'pending', received: 0, tx: null }],
  ['is seen', [{}], { status: 'seen', tx: 'payment 1', role: 'none' }],
  ['is deep enough', [{ height: 95 }], { status: 'confirmed', confirmations: 6, role: 'waiting' }],
  [
    'is as deep as the youngest payment that is needed',
    [
      { litoshi: 1, height: 90 },
      { litoshi: NEEDED - 1, height: 99 },
      { litoshi: 5, height: 100 },
    ],
    { status: 'confirming', confirmations: 2, tx: 'payment 2', received: NEEDED + 5 },
  ],
  ['is on its way', [{ height: 90, spentBy: 'on', spentAt: 9 }], { status: 'forwarding', forward: 'on' }],
  [
    'has arrived once all that is needed was handed on, in the last transaction that did',
    [
      { litoshi: 1, height: 90, spentBy: 'later', spentHeight: 97, spentAt: 9 },
      { litoshi: NEEDED, height: 91, spentBy: 'first', spentHeight: 96, spentAt: 8 },
    ],
    { status: 'forwarded', forward: 'later', settled: 0 },
  ],
  [
    'is on its way while a part of it waits',
    [
      { litoshi: 1, height: 90, spentBy: 'first', spentHeight: 97, spentAt: 9 },
      { litoshi: NEEDED, height: 91 },
    ],
    { status: 'forwarding' },
  ],
])('%s', (_how, payments, expected) => {
  for (const payment of payments) pay(payment);
  expect(evaluate(100)).toMatchObject({ ...expected, late: 0, reorganised: 0 });
});

it('expires only when somebody has looked after its last moment, and the chain is past it, too', () => {
  expect(evaluate(100, EXPIRES_AT + 1, EXPIRES_AT - 1)).toMatchObject({ status: 'pending' });
  // The clock is 1,500 days ahead, and then as far behind.
  for (const [clock, tipAt, status] of [
    [EXPIRES_AT + AHEAD_MS, EXPIRES_AT - 1, 'pending'],
    [EXPIRES_AT - AHEAD_MS, EXPIRES_AT, 'pending'],
    [EXPIRES_AT + AHEAD_MS, EXPIRES_AT, 'expired'],
  ] as const)
    expect(evaluate(100, clock, clock, tipAt)).toMatchObject({ status, settled: 0 });
  pay({ at: EXPIRES_AT + 1 });
  expect(evaluate(100, EXPIRES_AT + 2)).toMatchObject({ status: 'seen', late: 1 });
});

it('begins now once a clock that was ahead is right, and lasts as long', () => {
  const times = db.statement<object>('SELECT created_at, expires_at FROM donations');
  const later = 'created_at = created_at + ?, expires_at = expires_at + ?';
  db.statement(`UPDATE donations SET ${later}`).run(AHEAD_MS, AHEAD_MS);
  const before = times.get();
  evaluate(100, CREATED_AT + AHEAD_MS, CREATED_AT + AHEAD_MS, CREATED_AT);
  expect(times.get()).toEqual(before);
  expect(evaluate(100, CREATED_AT)).toMatchObject({ status: 'pending' });
  expect(times.get()).toEqual({ created_at: CREATED_AT, expires_at: EXPIRES_AT });
});

it('says so when the chain took something back, until it is paid again', () => {
  pay({ height: 99 });
  evaluate(100);
  db.statement('UPDATE donation_outputs SET height = NULL').run();
  expect(evaluate(100)).toMatchObject({ status: 'seen', reorganised: 1 });
  expect(evaluate(100)).toMatchObject({ reorganised: 1 });
  db.statement('UPDATE donation_outputs SET height = 95').run();
  expect(evaluate(100)).toMatchObject({ status: 'confirmed', reorganised: 0 });
});

it.each<[string, Payment[], Payment[]]>([
  ['a payment after one that vanished', [{}], [{}]],
  ['a payment after a deep one that a rival replaced', [{ height: 99 }], [{}]],
  ['a payment that stays when an unneeded one vanishes', [{ litoshi: 5 }], [{ height: 99 }]],
])('does not say so of %s', (_what, gone, stays) => {
  for (const payment of gone) pay(payment);
  const isBeside = stays.some(({ height }) => height);
  if (isBeside) for (const payment of stays) pay(payment);
  evaluate(100);
  for (let number = 1; number <= gone.length; number += 1)
    db.statement('UPDATE donation_outputs SET is_gone = 1 WHERE tx_id = ?').run(`payment ${number}`);
  const vanished = evaluate(100);
  if (!isBeside) expect(vanished).toMatchObject({ status: 'pending', reorganised: 1 });
  if (!isBeside) for (const payment of stays) pay(payment);
  expect(evaluate(100)).toMatchObject({ reorganised: 0 });
});

it('buys with what is confirmed, not with what is on its way', () => {
  const tierNow = () => {
    const donation = findDonation(db, id);
    return donation && [donation.status, premiumTier(donation), donation.receivedLitoshi / NEEDED];
  };
  evaluate(100);
  expect(tierNow()).toEqual(['pending', 'monthly', 0]);
  pay({ height: 98 });
  pay({ litoshi: 4 * NEEDED });
  evaluate(100);
  expect(tierNow()).toEqual(['confirming', 'monthly', 5]);
  evaluate(103);
  expect(tierNow()).toEqual(['confirmed', 'monthly', 5]);
  db.statement("UPDATE donation_outputs SET height = 104 WHERE tx_id = 'payment 2'").run();
  evaluate(108);
  expect(tierNow()).toEqual(['confirmed', 'monthly', 5]);
  evaluate(109);
  expect(tierNow()).toEqual(['confirmed', 'lifetime', 5]);
});

it('has its role taken back while it waits, not when it was given', () => {
  pay({ height: 95 });
  evaluate(100);
  db.statement('UPDATE donation_outputs SET height = 100').run();
  expect(evaluate(100)).toMatchObject({ status: 'confirming', role: 'none' });
  db.statement("UPDATE donations SET role_status = 'done'").run();
  expect(evaluate(100)).toMatchObject({ role: 'done' });
});

it.each<[string, Payment[], string, number, number, number]>([
  ['expired, and forgotten', [], 'expired', 100, FORGOTTEN_AT, 1],
  ['deep and handed on', [{ height: 1, spentBy: 'x', spentHeight: 1 }], 'forwarded', 200, SOON, 1],
  ['handed on lately', [{ height: 1, spentBy: 'x', spentHeight: 199 }], 'forwarded', 200, SOON, 0],
  ['paid, and not handed on', [{ height: 101 }], 'confirmed', 200, SOON, 1],
  ['paid lately', [{ height: 102 }], 'confirmed', 200, FORGOTTEN_AT, 0],
  ['deep, and about to be handed on', [{ height: 1, spentBy: 'x' }], 'forwarding', 200, SOON, 0],
  ['too little, and forgotten', [{ litoshi: 1, height: 1 }], 'underpaid', 200, FORGOTTEN_AT, 1],
  ['too little, and lately', [{ litoshi: 1, height: 1 }], 'underpaid', 200, EXPIRES_AT + 1, 0],
  ['too little, and not deep', [{ litoshi: 1, height: 199 }], 'underpaid', 200, FORGOTTEN_AT, 0],
])('is settled or not: %s', (_how, payments, status, tip, now, settled) => {
  for (const payment of payments) pay(payment);
  expect(evaluate(tip, now)).toMatchObject({ status, settled });
});

it('counts those whose status has changed, and no other', () => {
  const look = () =>
    db.write((tx) => evaluateDonations(tx, { tip: 1, tipAt: CREATED_AT, scannedAt: 0, asked: 'all' }, 1));
  pay({});
  expect([look(), look()]).toEqual([1, 0]);
  expect(db.statement('SELECT to_status FROM donation_transitions').pluck().all()).toEqual(['seen']);
});
