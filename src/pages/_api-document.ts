import { z } from 'zod';
import { API } from '#src/api.ts';
import { JSON_TYPE, LISTS_CACHE } from '#src/http/response-headers.ts';
import { endpoint } from '#src/http/endpoint.ts';
import { json } from '#src/http/http-result.ts';
import { describeApi, type ApiDocument } from '#src/http/openapi.ts';
import { PAGES_LIMIT } from '#src/http/rate-limit.ts';
import { OPENAPI_PATH } from '#src/paths.ts';
import type { Services } from '#src/services.ts';

/**
 * SPEC section 9. A new field or endpoint raises the middle number and gets a line in the history of
 * src/pages/docs/szczegoly.astro; existing ones keep their meaning.
 */
const API_VERSION = '1.0.0';

/** The OpenAPI document, made from the definitions of the endpoints. */
export const openapi = endpoint({
  operation: {
    id: 'readDescription',
    tag: 'rest',
    summary: 'Opis API w formacie OpenAPI 3.1.',
    answer: {
      description: 'Dokument OpenAPI.',
      content: { [JSON_TYPE]: z.looseObject({ openapi: z.string().describe('Wersja OpenAPI.') }) },
    },
  },
  limit: PAGES_LIMIT,
  cache: LISTS_CACHE,
  dependsOn: 'none',
  parse: () => ({ query: undefined, problems: [] }),
  handle: (_query: undefined, { baseUrl }: Services) => json(describeInterface(baseUrl)),
});

/** Every endpoint of the interface in src/pages, by the path that Astro's router gives it. */
export const ENDPOINTS = { ...API, [OPENAPI_PATH]: openapi };

/** The documentation of limits; endpoints with a shared limit share a row. */
export function limitRows(): string[][] {
  const limited = Object.entries(ENDPOINTS).flatMap(([path, { definition }]) =>
    definition.limit ? [{ path, ...definition.limit }] : [],
  );
  return [...Map.groupBy(limited, ({ bucket }) => bucket)].map(([bucket, rows]) => {
    const sharing = bucket === PAGES_LIMIT.bucket ? ', razem ze stronami' : rows.length > 1 ? ', razem' : '';
    return [rows.map(({ path }) => `\`${path}\``).join(', '), `${rows[0]?.limit}${sharing}`];
  });
}

/** The documents that were made, by base address; outside tests there is one. */
const made: Record<string, ApiDocument> = {};

/** Made at the first call. */
export function describeInterface(baseUrl: string): ApiDocument {
  return (made[baseUrl] ??= describeApi(ENDPOINTS, {
    title: 'Czujka',
    version: API_VERSION,
    description:
      'Listy zgłoszonych osób i serwerów, lista zaufanych i sprawdzanie. Bez klucza i bez logowania, z dowolnej domeny (CORS jest otwarty). Każdy adres odpowiada na GET, na HEAD tak samo, lecz bez treści, a na OPTIONS odpowiedzią 204. Pusta odpowiedź to brak wpisu, nie potwierdzenie uczciwości; błąd i 429 to nie wynik sprawdzenia. Nieznane pola w odpowiedzi pomijaj: mogą dochodzić.',
    baseUrl,
  }));
}
