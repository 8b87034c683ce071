/** Headers of the image and its 304 are in openapi.test.ts. */
import { expect, it } from 'vitest';
import { assertError } from '../support/assert-error.ts';
import { startLoopbackServer } from '../support/loopback-server.ts';
import { sendJson } from '../support/outside-answers.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';

const ID = '80351110224678912';
const PROBLEM = 'Nieprawidłowy parametr chatId: od 17 do 20 cyfr, pierwsza inna niż 0.';

/** It asks no platform. */
const site = await startTestSite((await makeDatabase()).path);
const startAsking = async (origin: string) =>
  startTestSite((await makeDatabase()).path, {
    CHAT_PLATFORM_API_URL: `${origin}/api`,
    CHAT_PLATFORM_CDN_URL: `${origin}/cdn`,
    CHAT_PLATFORM_TOKEN: 't',
  });

it('is drawn for half a minute where the platform fails, and for an hour where it is of a server', async () => {
  const failing = await startAsking('http://127.0.0.1:1');
  for (const [query, seconds] of [
    ['?kind=server', 3600],
    ['', 30],
  ] as const)
    expect((await failing.get(`/api/chat/avatar/${ID}${query}`)).headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': `public, max-age=${seconds}`,
    });
});

it('is the picture of the platform, whatever the client says that it accepts, and is asked for once', async () => {
  const webp = Buffer.from('RIFF\x10\0\0\0WEBPVP8L', 'latin1');
  const platform = await startLoopbackServer((request, response) => {
    if (request.url?.startsWith('/api')) sendJson({ id: ID, avatar: 'a_ff00' })(request, response);
    else response.end(webp);
  });
  const asking = await startAsking(platform.origin);
  for (const Accept of ['image/webp', 'image/png', '*/*', 'image/webp;q=0'])
    for (const query of ['', '?kind=own']) {
      const answer = await asking.get(`/api/chat/avatar/${ID}${query}`, { headers: { Accept } });
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({ 'content-type': 'image/webp', vary: 'Accept-Encoding' });
    }
  expect(platform.requests).toEqual([`GET /api/users/${ID}`, `GET /cdn/avatars/${ID}/a_ff00.webp?size=128`]);
});

it('is empty instead of drawn, where only the picture of the account is asked for and there is none', async () => {
  const platform = await startLoopbackServer(sendJson({ id: ID, avatar: null }));
  const asking = await startAsking(platform.origin);
  for (const one of [asking, site]) {
    const { headers, text } = await one.get(`/api/chat/avatar/${ID}?kind=own`);
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'public, max-age=3600',
    });
    expect(text).toMatch(/^<svg [^>]*width="1" height="1"\/>$/);
  }
  // Nor is the platform's picture of nobody fetched.
  expect(platform.requests).toEqual([`GET /api/users/${ID}`]);
});

it.each(['1234567890123456', '01234567890123456', '..%2f..%2fstatus', encodeURIComponent('٨'.repeat(17))])(
  'refuses %s',
  async (chatId) => {
    assertError(await site.get(`/api/chat/avatar/${chatId}`), 400, PROBLEM);
  },
);

it('has no other kinds, and no way out of its path', async () => {
  assertError(
    await site.get(`/api/chat/avatar/${ID}?kind=bot`),
    400,
    'Nieprawidłowy parametr kind: dozwolone wartości to user, server, own.',
  );
  assertError(await site.get('/api/chat/avatar/'), 404, 'Nie znaleziono');
});
