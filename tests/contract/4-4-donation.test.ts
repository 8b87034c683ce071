import { beforeAll, describe, expect, it } from 'vitest';
import { assertError } from '../support/assert-error.ts';
import { makeDonation, SAMPLE_ADDRESS } from '../support/make-donation.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite, type TestSite } from '../support/test-site.ts';

const PAYER = '280864204968068869';
const ID = `ltc_${'a'.repeat(32)}`;

describe('4.4 /api/donate/status', () => {
  let site: TestSite;
  let id: string;

  beforeAll(async () => {
    const db = await makeDatabase();
    id = makeDonation(db, { createdAt: Date.parse('2026-11-20T15:35:00.123Z'), payerChatId: PAYER });
    site = await startTestSite(db.path);
  });

  it('answers with the keys of SPEC 2.5 in their order, and nothing of the payer', async () => {
    // White space around the ID is cut.
    const { status, headers, text } = await site.get(`/api/donate/status?id=%20${id}%20`);
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(text).not.toContain(PAYER);
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
      ['error', expect.stringMatching(/^Czas na wpłatę minął/)],
      ['createdAt', '2026-11-20T15:35:00.123Z'],
      ['expiresAt', '2026-11-20T16:35:00.123Z'],
    ]);
  });

  it.each([
    '',
    '?id=ltc_',
    `?id=ltc_${'a'.repeat(65)}`,
    `?id=ltc_${'A'.repeat(32)}`,
    `?id=${ID}&id=${ID}`,
    `?id=${ID}%00`,
  ])('refuses an invalid ID: "%s"', async (query) => {
    assertError(await site.get(`/api/donate/status${query}`), 400, 'Nieprawidłowe ID płatności');
  });
});
