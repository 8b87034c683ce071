import { describe, expect, it } from 'vitest';
import { assertError } from '../support/assert-error.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';

const ID = '80351110224678912';
const PROBLEM = 'Nieprawidłowy parametr chatId: od 17 do 20 cyfr, pierwsza inna niż 0.';

describe('4.5 /api/chat/avatar/{chatId}', () => {
  it('is an image with validators, for an hour, without a limit', async () => {
    const site = await startTestSite((await makeDatabase()).path);
    const first = await site.get(`/api/chat/avatar/${ID}`);
    expect(first.status).toBe(200);
    expect(first.headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    });
    expect(first.headers['ratelimit-limit']).toBeUndefined();
    const etag = first.headers.etag ?? '';
    const again = await site.get(`/api/chat/avatar/${ID}`, { headers: { 'If-None-Match': etag } });
    expect(again.status).toBe(304);
    expect((await site.get(`/api/chat/avatar/${ID}`)).text).toBe(first.text);
    for (let i = 0; i < 1_100; i += 1) expect((await site.get(`/api/chat/avatar/${ID}`)).status).toBe(200);
  });

  it('of a server is drawn', async () => {
    const site = await startTestSite((await makeDatabase()).path, {
      CHAT_PLATFORM_API_URL: 'http://127.0.0.1:1',
      CHAT_PLATFORM_CDN_URL: 'http://127.0.0.1:1',
      CHAT_PLATFORM_TOKEN: 't',
    });
    const { headers } = await site.get(`/api/chat/avatar/${ID}?kind=server`);
    expect(headers['cache-control']).toBe('public, max-age=3600');
    const user = await site.get(`/api/chat/avatar/${ID}`);
    expect(user.headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'public, max-age=30',
    });
  });

  it.each([
    'abc',
    '1234567890123456',
    '123456789012345678901',
    '01234567890123456',
    '%00',
    '..',
    '..%2f',
    '..%2f..%2fstatus',
    'a/b',
    '%0A',
    '80351110224678912%00',
    '-80351110224678912',
    '٨٠٣٥١١١٠٢٢٤٦٧٨٩١٢'.split('').map(encodeURIComponent).join(''),
    'x'.repeat(10_000),
  ])('refuses %s', async (chatId) => {
    const site = await startTestSite((await makeDatabase()).path);
    assertError(await site.get(`/api/chat/avatar/${chatId}`), 400, PROBLEM);
  });

  it('has no other kinds, and no way out of its path', async () => {
    const site = await startTestSite((await makeDatabase()).path);
    assertError(
      await site.get(`/api/chat/avatar/${ID}?kind=bot`),
      400,
      'Nieprawidłowy parametr kind: jedna z wartości user, server.',
    );
    assertError(await site.get('/api/chat/avatar/'), 404, 'Nie znaleziono');
  });
});
