// Needs: nginx
/** The service behind nginx as a shared cache, with the configuration that is shipped (scripts/deploy). */
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { startNginx } from '../../support/front-cache.ts';
import { startLoopbackServer } from '../../support/loopback-server.ts';
import { importRecords, makeRecord } from '../../support/make-entries.ts';
import { makeDatabase } from '../../support/temporary-database.ts';
import {
  ask,
  startTestSite,
  type Answer,
  type RequestOptions,
  type TestSite,
} from '../../support/test-site.ts';

const [ONE, OTHER, THIRD] = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];
const LIMIT_HEADERS = /^(?:ratelimit-.*|retry-after|set-cookie)$/;

const limitHeaders = ({ headers }: Answer): string[] =>
  Object.keys(headers).filter((name) => LIMIT_HEADERS.test(name));

/** Seconds, as the next cache works it out (RFC 9111, 4.2.3). */
const ageOf = ({ headers }: Answer): number =>
  Math.max(Number(headers.age ?? 0), (Date.now() - Date.parse(headers.date ?? '')) / 1000);

describe('behind nginx', () => {
  let site: TestSite;
  let get: (path: string, options?: RequestOptions) => Promise<Answer>;
  /** Targets of the requests that reached the service. */
  const reached: string[] = [];
  beforeAll(async () => {
    const db = await makeDatabase();
    const records = Array.from({ length: 40 }, () => makeRecord());
    await importRecords(db, 'scammers', records);
    site = await startTestSite(db.path, { TRUST_PROXY: 'loopback' });
    site.server.on('request', ({ url = '' }) => reached.push(url));
    const port = await startNginx(site.port);
    get = (path, options) => ask(port, path, options);
  });
  const countOf = (path: string): number => reached.filter((target) => target === path).length;

  it.each([
    '/api/scammers?limit=7',
    '/scammers',
    '/docs',
    '/api/chat/avatar/100000000000000001?kind=server',
    '/feeds/scammers.atom',
  ])('%s is kept without the numbers of a client, in the form that it takes', async (path) => {
    const headers = { 'accept-encoding': 'gzip' };
    const made = await get(path, { headers, from: ONE });
    const kept = await get(path, { headers, from: OTHER });
    expect([made.status, kept.status, countOf(path)]).toEqual([200, 200, 1]);
    expect(kept.text).toBe(made.text);
    expect(limitHeaders(kept)).toEqual([]);
    for (const name of ['etag', 'cache-control', 'access-control-allow-origin'])
      expect(kept.headers[name], name).toBe(made.headers[name]);
    const tag = kept.headers.etag ?? '';
    const known = await get(path, { headers: { ...headers, 'if-none-match': tag } });
    expect([known.status, known.text, known.headers.etag, countOf(path)]).toEqual([304, '', tag, 1]);
    expect(limitHeaders(known)).toEqual([]);
    expect((await get(path)).headers['content-encoding']).toBeUndefined();
  });

  it.each([
    ['GET', '/api/scammers?limit=61', 400, 'application/json; charset=utf-8'],
    ['POST', '/api/check?id=1', 405, 'application/json; charset=utf-8'],
    ['GET', '/proofs/nothing', 404, 'text/html; charset=utf-8'],
    ['OPTIONS', '/api/check', 204, undefined],
  ])('%s %s passes as the service answers it', async (method, path, status, type) => {
    const [direct, passed] = [await site.get(path, { method }), await get(path, { method })];
    expect([passed.status, passed.headers['content-type']]).toEqual([status, type]);
    expect(passed.text).toBe(direct.text);
    for (const name of ['allow', 'access-control-allow-origin', 'cache-control', 'content-security-policy'])
      expect(passed.headers[name], name).toBe(direct.headers[name]);
  });

  it.each(['/api/check', '/api/scammers?limit=0', '/nothing', '/robots.txt'])(
    '%s is not kept',
    async (path) => {
      const before = countOf(path);
      await get(path);
      await get(path);
      expect(countOf(path)).toBe(before + 2);
    },
  );

  it('counts the address that a client has, whatever it writes, and keeps its refusal from others', async () => {
    const spoofed = (number: number): RequestOptions => ({
      from: ONE,
      headers: { 'x-forwarded-for': `198.51.100.${number}` },
    });
    for (let number = 0; number < 30; number += 1)
      expect((await get(`/api/status?${number}`, spoofed(number))).status).toBe(200);
    for (const path of ['/api/status?a', '/api/status?a', '/api/status?b']) {
      const refused = await get(path, spoofed(99));
      expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
    }
    expect(countOf('/api/status?a')).toBe(2);
    expect((await get('/api/status?a', { from: OTHER })).status).toBe(200);
    for (const from of [ONE, OTHER, THIRD]) {
      const kept = await get('/api/status?a', { from });
      expect([kept.status, limitHeaders(kept)]).toEqual([200, []]);
    }
    expect(countOf('/api/status?a')).toBe(3);
    expect((await get('/api/status?c', spoofed(100))).status).toBe(429);
  });

  it('tells how old an answer is, with the time that it had been in the service', async () => {
    const path = '/api/scammers?limit=9';
    await get(path);
    await setTimeout(2_100);
    const age = ageOf(await get(path));
    expect(age).toBeGreaterThanOrEqual(2);
    expect(age).toBeLessThan(6);

    const keptPath = '/api/scammers?limit=11';
    await site.get(keptPath);
    site.clock.now += 20_000;
    expect((await get(keptPath)).headers.age).toBe('20');
    await setTimeout(1_100);
    // Kept, or asked for again of the service, whose clock stands.
    expect(Number((await get(keptPath)).headers.age)).toBeGreaterThanOrEqual(20);
  });
});

describe('what is stale behind nginx', { concurrent: true }, () => {
  const STALE_MS = 2_200;
  const fresh = { 'Cache-Control': 'public, s-maxage=1, stale-while-revalidate=300', Age: '0' };
  const own = { 'RateLimit-Remaining': '7', 'Retry-After': '7' };

  type Answered = readonly [status: number, headers: Readonly<Record<string, string>>];
  /** A service whose answers are numbered; from the second on they are what the test wants of its path. */
  const paths = new Map<string, { made: number; answers: readonly [Answered, Answered] }>();
  let port = 0;
  beforeAll(async () => {
    const service = await startLoopbackServer(({ url = '' }, response) => {
      const path = paths.get(url);
      if (!path) return void response.end();
      path.made += 1;
      response.writeHead(...path.answers[path.made === 1 ? 0 : 1]).end(String(path.made));
    });
    port = await startNginx(Number(new URL(service.origin).port));
  });

  const start = (first: Answered[1], ...later: Answered) => {
    const path = `/list/${paths.size}`;
    paths.set(path, { made: 0, answers: [[200, first], later] });
    return () => ask(port, path);
  };

  it('is sent at once and renewed behind', async () => {
    const get = start(fresh, 200, fresh);
    expect((await get()).text).toBe('1');
    await setTimeout(STALE_MS);
    expect((await get()).text).toBe('1');
    await vi.waitFor(async () => expect((await get()).text).toBe('2'), { timeout: 5_000 });
  });

  it.each([429, 500, 503])('is not replaced by a %d', async (refusal) => {
    const get = start({ ...fresh, ...own }, refusal, { 'Cache-Control': 'no-store', ...own });
    await get();
    await setTimeout(STALE_MS);
    for (let asked = 0; asked < 5; asked += 1) {
      const { status, text, headers } = await get();
      expect([status, text, headers['ratelimit-remaining']]).toEqual([200, '1', undefined]);
      await setTimeout(100);
    }
  });

  it('is never sent where that was not said', async () => {
    const headers = { 'Cache-Control': 'public, s-maxage=1' };
    const get = start(headers, 200, headers);
    await get();
    await setTimeout(STALE_MS);
    expect((await get()).text).toBe('2');
  });

  it.each<Answered>([
    [200, { ...fresh, 'Set-Cookie': 'a=b' }],
    [200, {}],
    [200, { 'Cache-Control': 'public, no-cache' }],
    [429, fresh],
    [503, fresh],
  ])('what is answered with %d and %j is not kept', async (status, headers) => {
    const get = start({ 'Cache-Control': 'no-store' }, status, headers);
    expect([(await get()).text, (await get()).text, (await get()).text]).toEqual(['1', '2', '3']);
  });
});
