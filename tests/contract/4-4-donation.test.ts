import { beforeAll, describe, expect, it } from 'vitest';
import { toDonationJson } from '#src/donations/donation-response.ts';
import { findDonation } from '#src/donations/find-donation.ts';
import { assertError } from '../support/assert-error.ts';
import { makeDonation, SAMPLE_ADDRESS } from '../support/make-donation.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';
import type { TestSite } from '../support/test-site.ts';

describe('4.4 /api/donate/status', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite((await makeDatabase()).path);
  });

  it.each([
    '',
    '?id=',
    '?id=ltc_',
    `?id=ltc_${'a'.repeat(15)}`,
    `?id=ltc_${'a'.repeat(65)}`,
    `?id=ltc_${'A'.repeat(32)}`,
    `?id=LTC_${'a'.repeat(32)}`,
    `?id=btc_${'a'.repeat(32)}`,
    `?id=ltc_${'g'.repeat(32)}`,
    `?id=ltc_${'a'.repeat(32)}&id=ltc_${'a'.repeat(32)}`,
    `?id=ltc_${'a'.repeat(32)}%00`,
  ])('refuses an invalid ID: "%s"', async (query) => {
    assertError(await site.get(`/api/donate/status${query}`), 400, 'Nieprawidłowe ID płatności');
  });

  it.each([16, 32, 64])('does not find an unknown ID of %d digits', async (digits) => {
    assertError(await site.get(`/api/donate/status?id=ltc_${'a'.repeat(digits)}`), 404, 'Nie znaleziono');
  });

  it('shares the bucket of 30 with the status', async () => {
    const own = await startTestSite((await makeDatabase()).path);
    const first = await own.get('/api/donate/status');
    expect(first.headers['ratelimit-limit']).toBe('30');
    const second = await own.get('/api/status');
    expect(second.headers['ratelimit-remaining']).toBe('28');
  });

  it('answers with the keys of SPEC 2.5 in their order, and nothing of the payer', async () => {
    const db = await makeDatabase();
    const createdAt = Date.parse('2026-11-20T15:35:00.123Z');
    const payerChatId = '280864204968068869';
    const id = makeDonation(db, { createdAt, payerChatId });
    const own = await startTestSite(db.path);
    const { status, headers, text } = await own.get(`/api/donate/status?id=${id}`);
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(text).not.toContain(payerChatId);
    const body = JSON.parse(text) as { donation: object };
    expect(Object.keys(body)).toEqual(['donation']);
    expect(Object.entries(body.donation)).toEqual([
      ['id', id],
      ['address', SAMPLE_ADDRESS],
      ['status', 'pending'],
      ['receivedLtc', 0],
      ['amountPln', 42.1],
      ['confirmations', 0],
      ['requiredConfirmations', 6],
      ['minimumLtc', 0.125],
      ['txId', ''],
      ['forwardTxId', ''],
      ['roleStatus', 'none'],
      ['premiumTier', 'monthly'],
      ['premiumMonthPln', 20],
      ['premiumLifetimePln', 150],
      ['error', 'Czas na wpłatę minął, a od tego czasu nikt jeszcze nie sprawdził sieci Litecoin.'],
      ['createdAt', '2026-11-20T15:35:00.123Z'],
      ['expiresAt', '2026-11-20T16:35:00.123Z'],
    ]);
  });

  it('says the same as the read model, white space around the ID cut', async () => {
    const db = await makeDatabase();
    const id = makeDonation(db);
    const donation = findDonation(db, id);
    const own = await startTestSite(db.path);
    expect(await own.json(`/api/donate/status?id=${id}`)).toEqual({
      donation: donation && toDonationJson(donation, Date.now()),
    });
    expect(await own.json(`/api/donate/status?id=%20${id}%20`)).toBeDefined();
  });
});
