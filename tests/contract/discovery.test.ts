/** Tools and search engines find descriptions, feeds and contacts by their standard addresses. */
import { expect, it } from 'vitest';
import { updateIndexes } from '../support/update-indexes.ts';
import { makeLists } from '../support/make-entries.ts';
import type { z } from 'zod';
import type { listResponseSchema } from '#src/entries/entry-schema.ts';
import { reportPagePath } from '#src/paths.ts';
import { makeDonation } from '../support/make-donation.ts';
import { unescapeHtml } from '../support/page-text.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';

const BASE = 'https://czujka.example';
const LISTED = '1558644164640031523';

const db = await makeLists({ scammers: [{ id: LISTED, name: 'kupskin' }], legit: [{ id: '8' }] });
const donation = makeDonation(db);
await updateIndexes(db);
const site = await startTestSite(db.path, { BASE_URL: BASE, SECURITY_CONTACT: 'ktos@czujka.example' });

const [listed] = (await site.json<z.infer<typeof listResponseSchema>>('/api/scammers')).data;

it('/api names its description', async () => {
  const link = `<${BASE}/openapi.json>; rel="service-desc"; type="application/json"`;
  for (const path of ['/api', '/api/'])
    expect(await site.get(path)).toMatchObject({ status: 404, headers: { link } });
  expect((await site.get('/api/nothing')).headers.link).toBeUndefined();
  expect((await site.get('/docs')).text).toContain('href="/openapi.json"');
});

it('security.txt says where to write, and is not there when nobody said it', async () => {
  const { status, headers, text } = await site.get('/.well-known/security.txt');
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1] ?? '';
  expect(field('Contact')).toBe('mailto:ktos@czujka.example');
  expect(field('Canonical')).toBe(`${BASE}/.well-known/security.txt`);
  const days = (Date.parse(field('Expires')) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(30);
  expect(days).toBeLessThan(365);
  const silent = await startTestSite((await makeDatabase()).path);
  expect((await silent.get('/.well-known/security.txt')).status).toBe(404);
});

it('robots.txt names the sitemap, which has pages that may be kept and no other', async () => {
  const robots = (await site.get('/robots.txt')).text;
  expect(robots).toContain(`Sitemap: ${BASE}/sitemap.xml\n`);
  const { headers, text } = await site.get('/sitemap.xml');
  expect(headers['content-type']).toBe('application/xml; charset=utf-8');
  const paths = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname);
  for (const path of ['/legit', '/docs/en']) expect(paths).toContain(path);
  for (const path of ['/scammers', '/servers']) expect(paths).not.toContain(path);
  const disallowed = [...robots.matchAll(/^Disallow: (.+)$/gm)].map(([, path = '']) => path);
  for (const path of paths) {
    const page = await site.get(path);
    expect([path, page.status]).toEqual([path, 200]);
    expect(page.text, path).not.toContain('content="noindex"');
    expect(disallowed.some((start) => path.startsWith(start))).toBe(false);
  }
});

it.each(['/scammers', '/servers?skip=1', '/scammers?id=7'])('%s is noindex', async (path) => {
  expect((await site.get(path)).text).toContain('<meta name="robots" content="noindex">');
});

it.each([
  ['/servers?status=risk&sort=az', '/api/servers?status=risk&sort=az', true],
  ['/scammers?search=%C5%BB%C3%B3%C5%82w%22%3E', '/api/scammers?search=%C5%BB%C3%B3%C5%82w%22%3E', true],
  ['/legit?skip=1', '/api/legit?skip=1', true],
  ['/status', '/api/status', true],
  ['/docs', '/openapi.json', true],
  [`/donate/${donation}`, `/api/donate/status?id=${donation}`, true],
  [reportPagePath(listed?.reportId ?? ''), `/api/verdict?id=${LISTED}`, false],
  [`/?search=${LISTED}`, `/api/verdict?id=${LISTED}`, false],
  ['/?search=kupskin', '/api/check?search=kupskin', false],
] as const)('%s redirects nobody and names its twin %s, and back: %s', async (path, twin, isNamed) => {
  const { headers, text } = await site.get(path, { headers: { Accept: 'application/json' } });
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  const alternates = [...text.matchAll(/<link rel="alternate" href="([^"]+)" type="application\/json">/g)];
  expect(alternates.map(([, href = '']) => unescapeHtml(href))).toEqual([twin]);
  const json = await site.get(twin);
  expect(json.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(json.headers.link).toBe(isNamed ? `<${path}>; rel="alternate"; type="text/html"` : undefined);
});

it.each([
  ['/servers?sort=az', '/feeds/servers.atom'],
  ['/status', '/status/incidents.atom'],
])('%s names its feed', async (path, feed) => {
  const link = /<link rel="alternate" type="application\/atom\+xml"[^>]* href="([^"]+)"/;
  expect(link.exec((await site.get(path)).text)?.[1]).toBe(feed);
});
