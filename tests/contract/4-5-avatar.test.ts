/** Headers of the image and its 304 are in openapi.test.ts. */
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { assertError } from '../support/assert-error.ts';
import { startLoopbackServer } from '../support/loopback-server.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';

const ID = '80351110224678912';
const PROBLEM = 'Nieprawidłowy parametr chatId: od 17 do 20 cyfr, pierwsza inna niż 0.';

/** With a platform that has a moving picture of everybody, still as webp and png (docs.discord.com, Image Formatting). */
async function startWithPlatform() {
  const api = await startLoopbackServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ id: ID, avatar: 'a_ff00' }));
  });
  const square = sharp({ create: { width: 128, height: 128, channels: 3, background: '#5865f2' } });
  const [webp, png] = await Promise.all([square.clone().webp().toBuffer(), square.clone().png().toBuffer()]);
  const cdn = await startLoopbackServer((request, response) => {
    response.end(request.url?.includes('.webp') ? webp : png);
  });
  const site = await startTestSite((await makeDatabase()).path, {
    CHAT_PLATFORM_API_URL: api.origin,
    CHAT_PLATFORM_CDN_URL: cdn.origin,
    CHAT_PLATFORM_TOKEN: 't',
  });
  return { site, api, cdn };
}

describe('4.5 /api/chat/avatar/{chatId}', async () => {
  /** It asks no platform. */
  const site = await startTestSite((await makeDatabase()).path);

  it('is drawn for half a minute where the platform fails, and for an hour where it is of a server', async () => {
    const failing = await startTestSite((await makeDatabase()).path, {
      CHAT_PLATFORM_API_URL: 'http://127.0.0.1:1',
      CHAT_PLATFORM_CDN_URL: 'http://127.0.0.1:1',
      CHAT_PLATFORM_TOKEN: 't',
    });
    for (const [query, seconds] of [
      ['?kind=server', 3600],
      ['', 30],
    ] as const)
      expect((await failing.get(`/api/chat/avatar/${ID}${query}`)).headers).toMatchObject({
        'content-type': 'image/svg+xml; charset=utf-8',
        'cache-control': `public, max-age=${seconds}`,
      });
  });

  it('is WebP, whatever the client says that it accepts, and is asked for once', async () => {
    const { site: asking, api, cdn } = await startWithPlatform();
    const get = (headers: Record<string, string>) => asking.get(`/api/chat/avatar/${ID}`, { headers });
    for (const accept of ['image/webp', 'image/png', '*/*', 'image/webp;q=0']) {
      const { status, headers } = await get({ Accept: accept });
      expect([status, headers['content-type'], headers.vary]).toEqual([200, 'image/webp', 'Accept-Encoding']);
    }
    expect(api.requests).toEqual([`GET /users/${ID}`]);
    expect(cdn.requests).toEqual([`GET /avatars/${ID}/a_ff00.webp?size=128`]);
  });

  it.each([
    '1234567890123456',
    '123456789012345678901',
    '01234567890123456',
    '..%2f..%2fstatus',
    '٨٠٣٥١١١٠٢٢٤٦٧٨٩١٢'.split('').map(encodeURIComponent).join(''),
    'x'.repeat(10_000),
  ])('refuses %s', async (chatId) => {
    assertError(await site.get(`/api/chat/avatar/${chatId}`), 400, PROBLEM);
  });

  it('has no other kinds, and no way out of its path', async () => {
    assertError(
      await site.get(`/api/chat/avatar/${ID}?kind=bot`),
      400,
      'Nieprawidłowy parametr kind: dozwolone wartości to user, server.',
    );
    assertError(await site.get('/api/chat/avatar/'), 404, 'Nie znaleziono');
  });
});
