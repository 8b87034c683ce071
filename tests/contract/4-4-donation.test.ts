import { beforeAll, describe, expect, it } from 'vitest';
import { assertError } from '../support/assert-error.ts';
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
});
