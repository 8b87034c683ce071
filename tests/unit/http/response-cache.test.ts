import type { IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { CachedUntil, HttpResult, PendingResult, PreparedResponse } from '#src/http/response.ts';
import { createResponseCache, type ResponseCacheOptions } from '#src/http/response-cache.ts';

const CACHE_CONTROL = 'public, s-maxage=30, stale-while-revalidate=300';

function resultOf(body: string | Buffer, facts: Partial<HttpResult> = {}): HttpResult {
  return { contentType: 'text/plain', cacheControl: CACHE_CONTROL, etag: '"x"', body, ...facts };
}

function requestFor(encoding: string): IncomingMessage {
  return { headers: { 'accept-encoding': encoding } } as IncomingMessage;
}

function setUp(options: Partial<ResponseCacheOptions> = {}) {
  const clock = { now: 0 };
  const data = { revision: 1 };
  const [now, revision] = [() => clock.now, () => data.revision];
  const cache = createResponseCache({ maxBytes: 1_000_000, now, revision, ...options });
  const get = (load: () => PendingResult, url = '/a', until: CachedUntil = 'expiry') =>
    cache.get(until, url, requestFor('identity'), load);
  const bodyOf = async (...asked: Parameters<typeof get>): Promise<string> =>
    Buffer.from((await get(...asked)).body).toString();
  return { clock, data, cache, get, bodyOf };
}

/** One iteration of the event loop: background renewals begin in the next one. */
async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}

it('answers synchronously with a fresh entry and says its age', async () => {
  const { clock, get, bodyOf } = setUp();
  expect(await bodyOf(() => resultOf('A', { ageMs: 0 }))).toBe('A');
  clock.now = 29_999;
  const hit = get(() => resultOf('-')) as PreparedResponse;
  expect(hit).toMatchObject({ status: 200, etag: '"x"', madeAt: 0 });
  expect(String(hit.body)).toBe('A');
  expect(hit.headers.join(' ')).toContain('Vary Accept-Encoding Content-Length 1');
});

it('subtracts the age of a new answer from its lifetime', async () => {
  const { clock, bodyOf } = setUp();
  const made = resultOf('old', { cacheControl: 'public, max-age=60', ageMs: 5_000, ttlSeconds: 15 });
  await bodyOf(() => made);
  clock.now = 9_999;
  expect(await bodyOf(() => resultOf('new'))).toBe('old');
  clock.now = 10_000;
  expect(await bodyOf(() => resultOf('new'))).toBe('new');
});

it.each([
  ['an error', resultOf('E', { status: 500 })],
  ['a missing page', resultOf('E', { status: 404 })],
  ['no-store', resultOf('E', { cacheControl: 'no-store' })],
])('never keeps %s', async (_, result) => {
  const { bodyOf } = setUp();
  expect(await bodyOf(() => result)).toBe('E');
  expect(await bodyOf(() => resultOf('again'))).toBe('again');
});

it('sends a stale answer while it renews it, and none after stale-while-revalidate', async () => {
  const { clock, bodyOf } = setUp();
  await bodyOf(() => resultOf('old'));
  clock.now = 30_000;
  expect(await bodyOf(() => resultOf('renewed'))).toBe('old');
  await turn();
  expect(await bodyOf(() => resultOf('-'))).toBe('renewed');
  clock.now = 30_000 + 330_000;
  expect(await bodyOf(() => resultOf('made'))).toBe('made');
});

it('keeps the stale answer when its renewal fails, and no failure', async () => {
  const { clock, bodyOf } = setUp();
  await bodyOf(() => resultOf('old'));
  clock.now = 60_000;
  const failures: (() => PendingResult)[] = [
    () => resultOf('broken', { status: 500 }),
    () => Promise.reject(new Error('gone')),
    () => expect.unreachable('gone'),
  ];
  for (const fail of [...failures, ...failures]) {
    expect(await bodyOf(fail)).toBe('old');
    await turn();
  }
  for (const fail of failures.slice(1)) await expect(bodyOf(fail, '/b')).rejects.toThrow('gone');
  expect(await bodyOf(() => resultOf('B'), '/b')).toBe('B');
});

it('loads and renews once for all requests of a key', async () => {
  const { clock, bodyOf } = setUp();
  let loaded = 0;
  const load = async (): Promise<HttpResult> => {
    loaded += 1;
    await turn();
    return resultOf(`${loaded}`);
  };
  const ask = () => Promise.all(Array.from({ length: 500 }, () => bodyOf(load)));
  expect(new Set(await ask())).toEqual(new Set(['1']));
  clock.now = 60_000;
  expect(new Set(await ask())).toEqual(new Set(['1']));
  await turn();
  await turn();
  expect(loaded).toBe(2);
  expect(await bodyOf(load)).toBe('2');
});

it('drops answers about earlier lists, also those under way, and keeps the others', async () => {
  const { data, cache, bodyOf } = setUp();
  const kinds = ['listChange', 'oneSecond', 'expiry'] as const;
  const slow = async (): Promise<HttpResult> => {
    await turn();
    return resultOf('old');
  };
  for (const kind of kinds) await bodyOf(() => resultOf('old'), `/${kind}`, kind);
  const begun = bodyOf(slow, '/slow', 'listChange');
  const all = cache.bytes;
  data.revision = 2;
  expect(await bodyOf(() => resultOf('new'), '/lists', 'listChange')).toBe('new');
  // The one of the lists as they are and the one that has nothing to do with them.
  expect(cache.bytes).toBe((all / 3) * 2);
  expect(await begun).toBe('old');
  expect(cache.bytes, 'an answer of the lists as they were is not kept').toBe((all / 3) * 2);
  const now: string[] = [];
  for (const kind of [...kinds, 'slow'] as const)
    now.push(await bodyOf(() => resultOf('new'), `/${kind}`, kind === 'slow' ? 'listChange' : kind));
  expect(now).toEqual(['new', 'new', 'old', 'new']);
});

it('repeats a search after a second, because search.db may have been late', async () => {
  const { clock, bodyOf } = setUp();
  expect(await bodyOf(() => resultOf('late'), '/a', 'oneSecond')).toBe('late');
  clock.now = 999;
  expect(await bodyOf(() => resultOf('-'), '/a', 'oneSecond')).toBe('late');
  clock.now = 1_000;
  expect(await bodyOf(() => resultOf('caught up'), '/a', 'oneSecond')).toBe('caught up');
});

it('keeps bodies in buffers of their own size, in every encoding', async () => {
  const { cache } = setUp();
  for (const body of ['a'.repeat(1_000), Buffer.from('a'.repeat(1_000))])
    for (const encoding of ['identity', 'br', 'gzip'] as const) {
      const hit = await cache.get('expiry', `/${typeof body}`, requestFor(encoding), () => resultOf(body));
      expect((hit.body as Buffer).buffer.byteLength).toBe(hit.body.length);
    }
});

it('stays below its bound of bytes', async () => {
  const { cache, bodyOf } = setUp({ maxBytes: 50_000 });
  for (let key = 0; key < 60; key += 1) {
    await bodyOf(() => resultOf('x'.repeat(key * 150)), `/${key}`);
    expect(cache.bytes).toBeLessThanOrEqual(50_000);
  }
  expect(cache.bytes).toBeGreaterThan(25_000);
  await bodyOf(() => resultOf('x'.repeat(50_000)), '/large');
  expect(cache.bytes).toBeLessThanOrEqual(50_000);
});

it('compresses a body once for each encoding, with its own ETag', async () => {
  const { cache } = setUp();
  const text = 'ąę'.repeat(5_000);
  const get = (encoding: 'br' | 'gzip') =>
    cache.get('expiry', '/a', requestFor(encoding), () => resultOf(text));
  const [first, second] = await Promise.all([get('br'), get('br')]);
  expect(second.body).toBe(first.body);
  const again = get('br') as PreparedResponse;
  expect(again.body).toBe(first.body);
  expect(again.etag).toBe('"x-br"');
  expect(again.headers.join(' ')).toContain('Content-Encoding br');
  expect(brotliDecompressSync(first.body).toString()).toBe(text);
  expect(gunzipSync((await get('gzip')).body).toString()).toBe(text);
});
