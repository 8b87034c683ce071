/** Built files, compressed beforehand, and text pages, which are made anew when a setting changes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { LINK_PICTURES } from '#src/paths.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite, type TestSite } from '../support/test-site.ts';

describe('static files', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite((await makeDatabase()).path);
  });

  const PAGES = ['/docs', '/pomoc', '/odwolania', '/zglos', '/prywatnosc', '/jak-powstaja-wpisy'];

  it.each(PAGES)('sends %s in the form that a browser takes', async (path) => {
    const plain = await site.get(path);
    expect(plain.status).toBe(200);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers['content-type']).toMatch(/^text\/html;\s*charset=utf-8$/i);
    const { headers } = await site.get(path, { headers: { 'Accept-Encoding': 'br' } });
    expect(headers['content-encoding']).toBe('br');
    expect(headers.vary).toMatch(/accept-encoding/i);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    const response = await fetch(site.origin + path, { headers: { 'Accept-Encoding': 'br' } });
    expect(await response.text()).toBe(plain.text);
  });

  it.each(PAGES)(
    'keeps %s like a list: once for all, whatever stands behind the question mark',
    async (path) => {
      // Older than anything that another test has left.
      site.clock.now += 400_000;
      await site.get(`${path}?a=1`);
      site.clock.now += 5_000;
      expect((await site.get(`${path}?b=2`)).headers.age).toBe('5');
    },
  );

  it('counts text pages as the others, with the Cache-Control of a public page, also in a 304', async () => {
    const ask = (path: string, headers: Record<string, string> = {}) =>
      site.get(path, { from: '127.0.0.77', headers });
    const first = await ask('/pomoc');
    expect(first.headers['cache-control']).toBe('public, s-maxage=30, stale-while-revalidate=300');
    expect(first.headers['ratelimit-limit']).toBe('1000');
    const rendered = await ask('/');
    const again = await ask('/pomoc', { 'If-None-Match': String(first.headers.etag) });
    expect(again.status).toBe(304);
    expect(again.headers['cache-control']).toBe('public, s-maxage=30, stale-while-revalidate=300');
    const left = [first, rendered, again].map(({ headers }) => Number(headers['ratelimit-remaining']));
    expect(left).toEqual([left[0], left[0]! - 1, left[0]! - 2]);
  });

  it('lets other sites embed answers of the API, and no page or file', async () => {
    for (const path of ['/', '/scammers', '/docs', '/pomoc', '/nothing', '/favicon.svg'])
      expect((await site.get(path)).headers['cross-origin-resource-policy'], path).toBe('same-origin');
    const avatar = '/api/chat/avatar/100000000000000001?kind=server';
    for (const path of ['/api/scammers', '/badge/status.svg', avatar]) {
      const { status, headers } = await site.get(path);
      expect([status, headers['cross-origin-resource-policy']]).toEqual([200, undefined]);
    }
  });

  it('does not count what a page loads', async () => {
    const { status, headers } = await site.get('/favicon.svg');
    expect(status).toBe(200);
    expect(headers['ratelimit-limit']).toBeUndefined();
    expect(headers['cache-control']).toBe('no-cache');
  });

  it.each(Object.values(LINK_PICTURES))('has %s in the size that chats show large', async (path) => {
    const bytes = readFileSync(join(import.meta.dirname, '../../src/public', path));
    expect(bytes.length).toBeLessThanOrEqual(40_000);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 });
    const { data } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 3)]).toEqual([0x14, 0x23, 0x3d]);
    const { status, headers } = await site.get(path);
    expect([status, headers['content-length']]).toEqual([200, String(bytes.length)]);
  });

  it('sends the neutral picture, which anybody may keep for a day and show', async () => {
    const path = LINK_PICTURES.neutral;
    const { status, headers } = await site.get(path);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'image/png',
      'public, max-age=86400',
    ]);
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect(headers['ratelimit-limit']).toBeUndefined();
    const { etag = '' } = (await site.get(LINK_PICTURES.neutral)).headers;
    expect(headers.etag).toBe(etag);
    expect((await site.get(path, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    expect((await site.get(path, { method: 'POST' })).status).toBe(405);
  });
});
