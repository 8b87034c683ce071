import { API } from '#src/api.ts';
import { describeApi } from '#src/http/openapi.ts';
import type { ApiDocument } from '#src/http/api-document.ts';
import type { EndpointRoute } from '#src/http/endpoint.ts';
import { PAGES_LIMIT } from '#src/http/rate-limit.ts';
import { OPENAPI_PATH } from '#src/paths.ts';

/**
 * SPEC section 9. The middle number grows with what is new (a field, an endpoint) and gets a line in the history of
 * src/pages/docs/szczegoly.astro; nothing that is there changes its meaning or goes.
 */
export const API_VERSION = '1.0.0';

type Definition = Pick<EndpointRoute, 'definition'>;

/** @param self the endpoint that gives this document, which is in it too */
function allEndpoints(self: Definition): Readonly<Record<string, Definition>> {
  return { ...API, [OPENAPI_PATH]: self };
}

/**
 * What the documentation says of limits: endpoints that share one stand in one row.
 * @param self as of `describeInterface`
 */
export function limitRows(self: Definition): string[][] {
  const limited = Object.entries(allEndpoints(self)).flatMap(([path, { definition }]) =>
    definition.limit ? [{ path, ...definition.limit }] : [],
  );
  return [...Map.groupBy(limited, ({ bucket }) => bucket)].map(([bucket, rows]) => {
    const sharing = bucket === PAGES_LIMIT.bucket ? ', razem ze stronami' : rows.length > 1 ? ', razem' : '';
    return [rows.map(({ path }) => `\`${path}\``).join(', '), `${rows[0]?.limit}${sharing}`];
  });
}

/** @param self the endpoint that gives this document, which is in it too */
export function describeInterface(self: Definition, baseUrl: string): ApiDocument {
  return describeApi(allEndpoints(self), {
    title: 'Czujka',
    version: API_VERSION,
    description:
      'Listy zgłoszonych osób i serwerów, lista zaufanych i sprawdzanie. Bez klucza i bez logowania, z dowolnej domeny (CORS jest otwarty). Każdy adres odpowiada na GET, na HEAD tak samo, lecz bez treści, a na OPTIONS odpowiedzią 204. Pusta odpowiedź to brak wpisu, nie potwierdzenie uczciwości; błąd i 429 to nie wynik sprawdzenia. Nieznane pola w odpowiedzi pomijaj: mogą dochodzić.',
    baseUrl,
  });
}
