/** Paths and queries, however they are spelled: nothing reaches an endpoint past its limit. */
import { describe, expect, it } from 'vitest';
import { dial, expectError } from '../../support/wire.ts';
import { BAD_REQUEST, NOT_FOUND, serveSmallLists } from '../../support/wire-server.ts';

describe('targets on the wire', () => {
  const server = serveSmallLists();
  const { ask, get } = server;

  it.each(['search=%E0%A4%A', 'search=%ff', 'search=100%', 'x=%', 'search=%00', 'search=%C0%AF', '%=%'])(
    'T6 answers the query %s',
    async (query) => {
      const api = await get(`/api/scammers?${query}`);
      expect(api.status).toBe(200);
      expect(JSON.parse(api.text)).toHaveProperty('data');
      const page = await get(`/?${query}`);
      expect(page.status).toBe(200);
      expect(page.field('content-type')).toBe('text/html; charset=utf-8');
    },
  );

  it.each(['/%', '/%E0%A4%A', '/api/%ff', '/api/scammers%', '/%C0%AF'])(
    'T6 answers 400 to the path %s, which decodes to nothing',
    async (path) => {
      expectError(await get(path), 400, BAD_REQUEST);
    },
  );

  it.each([
    '/api',
    '/api/',
    '/api/nope',
    '/api/scammers/1',
    '/api//scammers',
    '/api/../api/scammers',
    '/api/./check',
  ])('T7 answers 404 as JSON at %s', async (path) => {
    expectError(await get(path), 404, NOT_FOUND);
  });

  it('T7 answers 404 as a page elsewhere', async () => {
    for (const path of [
      '/nope',
      '/API/scammers',
      '/apix',
      '/x/api/scammers',
      '//api/scammers',
      '/x/../api/scammers',
    ]) {
      const answer = await get(path);
      expect(answer.status).toBe(404);
      expect(answer.field('content-type')).toBe('text/html; charset=utf-8');
    }
  });

  it('T10 serves absolute form by its path', async () => {
    const plain = await get('/api/scammers?limit=1');
    for (const origin of ['http://evil.example', 'HTTP://a:80', 'https://u:p@a', 'http://[::1]']) {
      const answer = await ask(`GET ${origin}/api/scammers?limit=1 HTTP/1.1`);
      expect(answer.status).toBe(200);
      expect(answer.text).toBe(plain.text);
    }
    expectError(await ask('GET http://evil.example/api/nope HTTP/1.1'), 404, NOT_FOUND);
    expect((await ask('GET http://evil.example HTTP/1.1')).text).toBe((await get('/')).text);
  });

  it.each([
    '/_image',
    '/_image?href=http://127.0.0.1/&w=1',
    '/_server-islands/x',
    '/_actions/x',
    '/_astro/../_image',
  ])('T15 has nothing at %s', async (target) => {
    const answer = await get(target);
    expect(answer.status).toBe(404);
    expect(answer.text).toBe((await get('/nope')).text);
  });

  it.each(['/404', '/404.html', '/429', '/429/', '/429/index.html', '/503', '/500', '/500.html'])(
    'has no page at %s, where the error pages lie',
    async (target) => {
      const answer = await get(target);
      expect(answer.status).toBe(404);
      expect(answer.text).toBe((await get('/nope')).text);
    },
  );

  it('T17 counts every spelling of a path in one bucket', async () => {
    // In a process whose window has just begun.
    const wire = dial((await server.startAnother()).port);
    let expected = 1000;
    for (const target of [
      '/api/scammers',
      '/api/%73cammers',
      '/api/scammers/',
      '/api/scammers//?a',
      '/api%2Fscammers',
      '/%61pi/%73%63ammers%2f',
      'http://b.example/api/scammers',
      '/api/legit',
    ]) {
      wire.write(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
      const answer = await wire.answer();
      expect(answer.status).toBe(200);
      expected -= 1;
      expect(answer.field('ratelimit-remaining')).toBe(String(expected));
    }
    wire.hangUp();
  });

  it('is not led astray by names that JavaScript objects have', async () => {
    const headerLines = ['__proto__: x', 'constructor: y', 'toString: z', 'hasOwnProperty: q'];
    const query = '__proto__=1&constructor=2&__proto__[a]=3&toString=4';
    for (const path of ['/api/scammers', '/api/check', '/']) {
      expect((await get(`${path}?search=__proto__&${query}`, headerLines)).status).toBe(200);
    }
    const answer = await get('/api/scammers?search=__proto__', headerLines);
    expect(JSON.parse(answer.text)).toMatchObject({ total: 1, data: [{ name: '__proto__' }] });
    for (const path of ['/api/__proto__', '/api/constructor', '/api/toString']) {
      expectError(await get(path), 404, NOT_FOUND);
    }
  });
});
