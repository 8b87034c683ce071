/** All endpoints in src/pages, where /api/verdict is api/verdict.ts. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { APIRoute } from 'astro';
import type { EndpointRoute, Endpoints } from './http/endpoint.ts';

/** The head of `/openapi.json`. */
export const API_INFO = {
  title: 'Czujka',
  /** SPEC section 9: the version of what keeps its meaning. */
  version: '1.0.0',
  /** The date of the newest of API_ADDITIONS in src/pages/docs/szczegoly.astro: endpoints, fields and values that came later. */
  'x-revision': '2026-11-26',
  description:
    'Listy zgłoszonych osób i serwerów, lista zaufanych i sprawdzanie. Bez klucza i bez logowania, z dowolnej domeny (CORS jest otwarty). Każdy adres odpowiada na GET, na HEAD tak samo, lecz bez treści, a na OPTIONS odpowiedzią 204. Pusta odpowiedź to brak wpisu, nie potwierdzenie uczciwości; błąd i 429 to nie wynik sprawdzenia. Nieznane pola w odpowiedzi pomijaj: mogą dochodzić.',
};

const PAGES = join(import.meta.dirname, 'pages');

export const ENDPOINTS = await loadEndpoints();

async function loadEndpoints(): Promise<Endpoints> {
  const loaded = globSync('**/[!_]*.ts', { cwd: PAGES }).map(async (file) => {
    const { GET: found } = (await import(join(PAGES, file))) as { GET: APIRoute | EndpointRoute };
    const path = `/${file.slice(0, -'.ts'.length).replaceAll('[', '{').replaceAll(']', '}')}`;
    return 'definition' in found ? ([[path, found.definition]] as const) : [];
  });
  const routes = (await Promise.all(loaded)).flat();
  return Object.fromEntries(routes.sort(([one], [other]) => (one < other ? -1 : 1)));
}
