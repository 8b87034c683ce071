import { beforeAll, describe, expect, it } from 'vitest';
import { LIST_KINDS } from '#src/entries/entry.ts';
import { LISTS_LIMIT, STATUS_LIMIT } from '#src/http/rate-limit.ts';
import { assertError } from '../support/assert-error.ts';
import { importRecords, makeRecord } from '../support/make-entries.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite, useUp } from '../support/test-site.ts';
import type { TestSite } from '../support/test-site.ts';

const LIMITED = [
  '/api/scammers',
  '/api/servers',
  '/api/legit',
  '/api/check',
  '/api/verdict',
  '/api/verdicts',
  '/api/status',
  '/api/donate/status',
];
const HEALTHY = ['/api/scammers', '/api/servers', '/api/legit', '/api/check?search=a', '/api/status'];

describe('7 errors', () => {
  let site: TestSite;
  beforeAll(async () => {
    const db = await makeDatabase();
    await importRecords(db, 'scammers', [makeRecord()]);
    site = await startTestSite(db.path);
  });

  it.each(LIMITED)('%s answers 405 with Allow to other methods', async (path) => {
    // nginx refuses TRACE itself.
    const traced = ['TRACE'];
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', ...traced]) {
      const answer = await site.get(path, { method });
      assertError(answer, 405, 'Metoda niedozwolona');
      expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
    }
  });

  it.each(['/api', '/api/', '/api/nope', '/api/scammers/1', '/api/toString', '/api/__proto__'])(
    '%s answers 404 as JSON',
    async (path) => {
      assertError(await site.get(path), 404, 'Nie znaleziono');
      assertError(await site.get(path, { method: 'POST' }), 404, 'Nie znaleziono');
    },
  );

  it.each(HEALTHY)('%s answers 429 with the sentence and equal numbers', async (path) => {
    const own = await startTestSite((await makeDatabase()).path);
    const limit = path === '/api/status' ? STATUS_LIMIT : LISTS_LIMIT;
    expect((await own.get(path)).status).toBe(200);
    useUp(own, limit, '127.0.0.1');
    own.clock.now = 22_500;
    const refused = await own.get(path);
    assertError(refused, 429, 'Za dużo zapytań. Spróbuj ponownie za 38 s.');
    expect(refused.headers).toMatchObject({
      'retry-after': '38',
      'ratelimit-limit': String(limit.limit),
      'ratelimit-remaining': '0',
      'ratelimit-reset': '38',
    });
    expect((await own.get(path, { from: '127.0.0.2' })).status).toBe(200);
    own.clock.now = 60_000;
    expect((await own.get(path)).status).toBe(200);
  });

  it('answers 500 with the fixed sentence when the database fails, and 200 once it is back', async () => {
    const db = await makeDatabase();
    for (const list of LIST_KINDS) await importRecords(db, list, [makeRecord({ name: 'Abc' })]);
    const own = await startTestSite(db.path);
    db.connection.exec('ALTER TABLE contents RENAME TO gone');
    for (const path of ['/api/scammers', '/api/servers', '/api/legit', '/api/check?search=abc']) {
      const answer = await own.get(path);
      assertError(answer, 500, 'Błąd podczas pobierania danych.');
      expect(answer.headers['ratelimit-limit']).toBe('1000');
    }
    db.connection.exec('ALTER TABLE gone RENAME TO contents');
    expect((await own.get('/api/scammers')).status).toBe(200);
  });

  it('counts every request but OPTIONS', async () => {
    const own = await startTestSite((await makeDatabase()).path);
    const remaining = async (method: string, query = ''): Promise<string | undefined> =>
      String((await own.get(`/api/scammers${query}`, { method })).headers['ratelimit-remaining']);
    expect(await remaining('GET')).toBe('999');
    expect(await remaining('HEAD')).toBe('998');
    expect(await remaining('POST')).toBe('997');
    expect(await remaining('GET', '?skip=x')).toBe('996');
    const preflight = await own.get('/api/scammers', { method: 'OPTIONS' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['ratelimit-limit']).toBeUndefined();
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': '*',
    });
    expect(await remaining('GET')).toBe('995');
  });

  it('8 lists and check share one bucket, status and donation another, and each other kind has its own', async () => {
    const own = await startTestSite((await makeDatabase()).path, { TRUST_PROXY: 'loopback' });
    const kinds: readonly (readonly [limit: number, ...paths: string[]])[] = [
      [1000, '/api/scammers', '/api/servers', '/api/legit', '/api/check?id=1'],
      [30, '/api/status', '/api/donate/status'],
      [1000, '/api/verdict?id=1', '/api/verdicts?ids=1'],
      [1000, '/api/changes', '/api/changes/events'],
      [1000, '/feeds/legit.atom', '/status/incidents.atom'],
      [1000, '/badge/status.svg'],
      [1000, '/api/status/history?id=database'],
      [1000, '/preview/check.png', `/proofs/images/${'0'.repeat(64)}.webp`],
      [1000, '/api/chat/avatar/80351110224678912'],
      [1000, '/snapshots/manifest.json', '/snapshots/legit/x'],
      [1000, '/', '/openapi.json', '/nowhere', '/robots.txt'],
      [30, '/healthz', '/readyz'],
    ];
    for (const [limit, ...paths] of kinds) {
      const left = [];
      for (const path of paths) {
        // The stream of changes ends at once.
        const { headers } = await own.get(path, {
          method: 'HEAD',
          headers: { 'X-Forwarded-For': '203.0.113.9' },
        });
        left.push(headers['ratelimit-remaining']);
      }
      expect(left, paths.join()).toEqual(paths.map((_path, at) => String(limit - 1 - at)));
    }
  });

  it.each(HEALTHY)('%s answers HEAD like GET, without a body', async (path) => {
    const get = await site.get(path);
    const head = await site.get(path, { method: 'HEAD' });
    expect(head.text).toBe('');
    const comparable = ({ headers }: typeof get): object =>
      Object.fromEntries(
        Object.entries(headers).filter(([name]) => !/^(date|ratelimit-remaining)$/.test(name)),
      );
    expect(comparable(head)).toEqual(comparable(get));
  });

  it.each(HEALTHY)('%s answers 304 to its own ETag', async (path) => {
    const { headers } = await site.get(path);
    expect(headers.etag).toMatch(/^"[\w-]{22}"$/);
    for (const tag of [headers.etag, `\"x\", ${headers.etag}`, `W/${headers.etag}`, '*']) {
      const answer = await site.get(path, { headers: { 'If-None-Match': String(tag) } });
      expect(answer.status).toBe(304);
      expect(answer.text).toBe('');
      expect(answer.headers['cache-control']).toBe(headers['cache-control']);
      expect(answer.headers.etag).toBe(headers.etag);
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect(answer.headers['ratelimit-limit']).toBeDefined();
    }
    const other = await site.get(path, { headers: { 'If-None-Match': '"x"' } });
    expect(other.status).toBe(200);
  });
});
