import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { LINK_PICTURES } from '#src/paths.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';

const site = await startTestSite((await makeDatabase()).path);

it.each(['/docs', '/pomoc'])('caches %s like a list, and compresses it for browsers', async (path) => {
  const plain = await site.get(path);
  expect(plain.headers).toMatchObject({
    'content-type': expect.stringMatching(/^text\/html;\s*charset=utf-8$/i) as string,
    'cache-control': 'public, s-maxage=30, stale-while-revalidate=300',
    'content-security-policy': expect.stringContaining("default-src 'none'") as string,
    'ratelimit-limit': '1000',
  });
  const compressed = await fetch(site.origin + path, { headers: { 'Accept-Encoding': 'br' } });
  expect(compressed.headers.get('content-encoding')).toBe('br');
  expect(await compressed.text()).toBe(plain.text);
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

it('does not count requests for files', async () => {
  const { status, headers } = await site.get('/favicon.svg');
  expect(status).toBe(200);
  expect(headers['ratelimit-limit']).toBeUndefined();
  expect(headers['cache-control']).toBe('no-cache');
});

it('has the icons that its pages and its manifest name', async () => {
  const { text, headers } = await site.get('/manifest.webmanifest');
  expect(headers['content-type']).toContain('application/manifest+json');
  const { icons } = JSON.parse(text) as { icons: { src: string; type: string }[] };
  const page = (await site.get('/')).text;
  const linked = [...page.matchAll(/<link rel="(?:icon|apple-touch-icon|manifest)" href="([^"]+)"/g)];
  const files = '/favicon.ico /favicon.svg /apple-touch-icon.png /manifest.webmanifest';
  expect(linked.map(([, path]) => path).join(' ')).toBe(files);
  for (const { src, type } of [...icons, { src: '/favicon.ico', type: 'image/x-icon' }])
    expect([src, (await site.get(src)).headers['content-type']]).toEqual([src, type]);
});

it.each(Object.values(LINK_PICTURES))('has %s in the size that chats show large', async (path) => {
  const bytes = readFileSync(join(import.meta.dirname, '../../src/public', path));
  expect(bytes.length).toBeLessThanOrEqual(40_000);
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 });
});

it('sends the neutral picture for other sites, to be cached for a day', async () => {
  const { status, headers } = await site.get(LINK_PICTURES.neutral);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=86400',
    'cross-origin-resource-policy': 'cross-origin',
  });
  expect(headers['ratelimit-limit']).toBeUndefined();
});
