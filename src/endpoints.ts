/** All endpoints in src/pages, where /api/verdict is api/verdict.ts. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { APIRoute } from 'astro';
import type { Endpoint, EndpointRoute } from './http/endpoint.ts';

const PAGES = join(import.meta.dirname, 'pages');

/** Each by its declared path, for example `/badge/{id}.svg`. */
export const ENDPOINTS = await loadEndpoints();

async function loadEndpoints(): Promise<Readonly<Record<string, Endpoint>>> {
  const loaded = globSync('**/[!_]*.ts', { cwd: PAGES }).map(async (file) => {
    const { GET: found } = (await import(join(PAGES, file))) as { GET: APIRoute | EndpointRoute };
    const path = `/${file.slice(0, -'.ts'.length).replaceAll('[', '{').replaceAll(']', '}')}`;
    return 'definition' in found ? ([[path, found.definition]] as const) : [];
  });
  const routes = (await Promise.all(loaded)).flat();
  return Object.fromEntries(routes.sort(([one], [other]) => (one < other ? -1 : 1)));
}
