/** Pages of a failing server, which no address shows, as visitors get them. */
import { join } from 'node:path';
import { parseConfig } from '#src/config.ts';
import { makeErrorPages, type RenderPage } from '#src/http/render-page.ts';

const ASTRO_ENTRY = join(import.meta.dirname, '../../dist/server/entry.mjs');

/** By the name of their pictures. */
export async function renderFailures(): Promise<{ name: string; html: string }[]> {
  const { render } = (await import(ASTRO_ENTRY)) as { render: RenderPage };
  const { operator, baseUrl } = parseConfig({ BASE_URL: 'https://czujka.example' });
  const fill = await makeErrorPages(async (path) =>
    (await render(path, { services: { operator, baseUrl } }))?.body.toString(),
  );
  return [
    { name: 'error-429', html: fill('rate_limited', { seconds: 23 }) },
    { name: 'error-500', html: fill('internal', { requestId: '0a1b2c3d', url: '/?search=szybki_handel' }) },
    { name: 'error-503', html: fill('overloaded', { seconds: 23, url: '/' }) },
  ];
}
