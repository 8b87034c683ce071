import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { AVATARS_LIMIT } from '#src/http/rate-limit.ts';
import { assertError } from '../support/assert-error.ts';
import { startLoopbackServer } from '../support/loopback-server.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite, useUp } from '../support/test-site.ts';

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

describe('4.5 /api/chat/avatar/{chatId}', () => {
  it('is an image with validators, for an hour', async () => {
    const site = await startTestSite((await makeDatabase()).path);
    const first = await site.get(`/api/chat/avatar/${ID}`);
    expect(first.status).toBe(200);
    expect(first.headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    });
    const etag = first.headers.etag ?? '';
    const again = await site.get(`/api/chat/avatar/${ID}`, { headers: { 'If-None-Match': etag } });
    expect(again.status).toBe(304);
    expect((await site.get(`/api/chat/avatar/${ID}`)).text).toBe(first.text);
  });

  it('8 may be asked for 1000 times a minute, whatever the ID; OPTIONS is not counted', async () => {
    const site = await startTestSite((await makeDatabase()).path);
    expect((await site.get(`/api/chat/avatar/${ID}`)).headers).toMatchObject({
      'ratelimit-limit': '1000',
      'ratelimit-remaining': '999',
      'ratelimit-reset': '60',
    });
    const preflight = await site.get(`/api/chat/avatar/${ID}`, { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers['ratelimit-limit']]).toEqual([204, undefined]);
    useUp(site, AVATARS_LIMIT, '127.0.0.1');
    const refused = await site.get(`/api/chat/avatar/${ID.replace('8', '9')}`);
    assertError(refused, 429, 'Za dużo zapytań. Spróbuj ponownie za 60 s.');
    expect(refused.headers).toMatchObject({ 'ratelimit-remaining': '0', 'retry-after': '60' });
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

  it('is WebP where that is accepted and PNG where it is not, each with its own tag', async () => {
    const { site, api, cdn } = await startWithPlatform();
    const get = (accept: string | undefined, headers: Record<string, string> = {}) =>
      site.get(`/api/chat/avatar/${ID}`, {
        headers: { ...(accept !== undefined && { Accept: accept }), ...headers },
      });
    const tags = new Map<string | undefined, string | undefined>();
    // Twice: made now, and found in the shared cache.
    for (let round = 0; round < 2; round += 1) {
      for (const [accept, type] of [
        [undefined, 'image/webp'],
        ['image/png;q=0.9, image/*;q=0.1', 'image/webp'],
        ['image/webp;q=0, */*', 'image/png'],
        ['image/png', 'image/png'],
        ['*/*', 'image/webp'],
      ] as const) {
        const { status, headers } = await get(accept);
        expect({ status, accept, type: headers['content-type'] }).toEqual({ status: 200, accept, type });
        expect(headers.vary).toBe('Accept, Accept-Encoding');
        tags.set(type, headers.etag);
      }
    }
    const [webp = '', png = ''] = [tags.get('image/webp'), tags.get('image/png')];
    expect(webp).not.toBe(png);
    const known = await get('image/png', { 'If-None-Match': png });
    expect(known.status).toBe(304);
    expect(known.headers.vary).toBe('Accept, Accept-Encoding');
    expect((await get('image/png', { 'If-None-Match': webp })).status).toBe(200);
    expect(api.requests).toEqual([`GET /users/${ID}`]);
    expect(cdn.requests).toEqual([
      `GET /avatars/${ID}/a_ff00.webp?size=128`,
      `GET /avatars/${ID}/a_ff00.png?size=128`,
    ]);
  });

  it('keeps nothing more for a flood of different Accept headers', async () => {
    const { site, api, cdn } = await startWithPlatform();
    for (let i = 0; i < 100; i += 1) {
      const { headers } = await site.get(`/api/chat/avatar/${ID}`, { headers: { Accept: `text/x-${i}` } });
      expect(headers['content-type']).toBe('image/png');
    }
    expect(api.requests.length + cdn.requests.length).toBe(2);
  });

  it.each([
    'abc',
    '1234567890123456',
    '123456789012345678901',
    '01234567890123456',
    // nginx refuses it itself.
    '%00',
    '80351110224678912%00',
    '..',
    '..%2f',
    '..%2f..%2fstatus',
    'a/b',
    '%0A',
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
      'Nieprawidłowy parametr kind: dozwolone wartości to user, server.',
    );
    assertError(await site.get('/api/chat/avatar/'), 404, 'Nie znaleziono');
  });
});
