// Needs: chromium
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DEMO_IDS } from '../../../scripts/sample/demo-records.ts';
import { DEMO_SETTINGS } from '../../../scripts/sample/demo-settings.ts';
import { crawl } from '../../support/browser/crawl.ts';
import { startProcess } from '../../support/start-process.ts';
import { makeFolder } from '../../support/temporary-database.ts';
import { startTestSite } from '../../support/test-site.ts';

const ID = DEMO_IDS.listed;
const BASE_URL = 'https://czujka.example';
const SAME_BYTES: readonly (readonly [path: string, options?: RequestInit])[] = [
  ['/api/scammers', { method: 'POST' }],
  ['/api/scammers', { method: 'OPTIONS' }],
  ['/api/scammers?status=risk&proofs=with&sort=za&limit=3&skip=2'],
  ['/api/check'],
  [`/api/verdict?id=${ID}`],
  ['/api/nothing'],
  ['/feeds/scammers.atom'],
  ['/openapi.json'],
];

/** An answer without the headers of its moment and its connection. */
async function ask(origin: string, path: string, options?: RequestInit): Promise<object> {
  const response = await fetch(origin + path, options);
  const headers = Object.fromEntries(response.headers);
  for (const name of ['date', 'keep-alive', 'age', 'ratelimit-remaining', 'ratelimit-reset'])
    delete headers[name];
  return { status: response.status, headers, body: await response.text() };
}

const CRAWL_MS = 300_000; // Each page loads its modules one by one.

it(
  "serves the demo's data from the sources, with the limits, errors and headers of production",
  { timeout: CRAWL_MS },
  async () => {
    const place = makeFolder();
    const dev = startProcess(join(import.meta.dirname, '../../../scripts/dev.ts'), {
      cwd: place,
      args: ['--data', join(place, 'demo')],
      // Astro's development server answers nothing where VITEST is set.
      settings: { PORT: '0', HOST: '127.0.0.1', BASE_URL, TRUST_PROXY: 'loopback', VITEST: '' },
    });
    await expect
      .poll(() => dev.lines.some(({ msg }) => msg.endsWith("serves the demo's data")), { timeout: 90_000 })
      .toBe(true);
    const [origin = ''] = /http:\S+/.exec(dev.lines.map(({ msg }) => msg).join('\n')) ?? [];

    const page = await fetch(`${origin}/?search=${ID}`);
    const html = await page.text();
    expect(html).toContain('kupskin_24');
    expect(html).toContain('src="/@vite/client"');
    expect(page.headers.get('RateLimit-Limit')).toBe('1000');
    expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect((await fetch(`${origin}/@vite/client`)).status).toBe(200);
    expect((await fetch(`${origin}/favicon.svg`)).headers.get('X-Content-Type-Options')).toBe('nosniff');

    // The lists do not change: both processes serve one database.
    const production = await startTestSite(join(place, 'demo/czujka.db'), { ...DEMO_SETTINGS, BASE_URL });
    for (const [path, options] of SAME_BYTES) {
      const answer = await ask(production.origin, path, options);
      expect(await ask(origin, path, options), path).toEqual(answer);
    }

    const { visited, troubles } = await crawl(origin, 1);
    expect(troubles).toEqual([]);
    expect(visited.length).toBeGreaterThan(70);

    dev.child.kill('SIGINT');
    expect(await dev.ended).toMatchObject({ code: 0 });
  },
);
