/** `npm run dev`: Astro's development server behind the request handler, over the demo's data. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DEMO_IDS } from '../../../scripts/sample/demo-records.ts';
import { startProcess } from '../../support/start-process.ts';
import { makeFolder } from '../../support/temporary-database.ts';

it("serves the demo's data from the sources, with the limits, errors and headers of production", async () => {
  const place = makeFolder();
  const dev = startProcess(join(import.meta.dirname, '../../../scripts/dev.ts'), {
    cwd: place,
    args: ['--data', join(place, 'demo')],
    // Astro's development server answers nothing where VITEST is set.
    settings: { PORT: '0', HOST: '127.0.0.1', VITEST: '' },
  });
  await expect
    .poll(() => dev.lines.some(({ msg }) => msg.endsWith("serves the demo's data")), { timeout: 90_000 })
    .toBe(true);
  const [origin = ''] = /http:\S+/.exec(dev.lines.map(({ msg }) => msg).join('\n')) ?? [];

  const page = await fetch(`${origin}/?search=${DEMO_IDS.listed}`);
  const html = await page.text();
  expect(html).toContain('kupskin_24');
  expect(html).toContain('src="/@vite/client"');
  expect(page.headers.get('RateLimit-Limit')).toBe('1000');
  expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
  expect((await fetch(`${origin}/@vite/client`)).status).toBe(200);
  expect((await fetch(`${origin}/favicon.svg`)).headers.get('X-Content-Type-Options')).toBe('nosniff');

  const api = await fetch(`${origin}/api/check?id=${DEMO_IDS.listed}`, {
    headers: { Origin: 'https://a.example' },
  });
  expect(await api.text()).toContain('kupskin_24');
  expect(api.headers.get('Access-Control-Allow-Origin')).toBe('*');
  expect((await fetch(`${origin}/api/check`, { method: 'POST' })).status).toBe(405);
  expect(await (await fetch(`${origin}/api/nothing`)).json()).toEqual({ error: 'Nie znaleziono' });

  dev.child.kill('SIGINT');
  expect(await dev.ended).toMatchObject({ code: 0 });
});
