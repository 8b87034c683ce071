/**
 * Pages and endpoints: a file for each address; what begins with `_` is shared by some of them. This file is the model of
 * an endpoint: `operation` is what `/openapi.json` and `/docs` say of it, `rateLimit` and `cacheControl` are SPEC 8, `parse`
 * turns the query into what `handle` answers. The request handler does the rest; a page is as thin, see ../legit.astro.
 */
import {
  checkQuerySchema,
  checkResponseSchema,
  toCheckJson,
  parseCheckQuery,
  preferReports,
  toCheckResults,
} from '#src/entries/check.ts';
import { listPublicByChatId } from '#src/entries/public-entry.ts';
import { endpoint } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/response.ts';
import examples from '../_examples/check.json' with { type: 'json' };

/** SPEC 4.2. */
export const GET = endpoint({
  operation: {
    id: 'check',
    tag: 'check',
    summary: 'Szuka osoby albo serwera na wszystkich listach naraz.',
    description:
      'Podaj `id` albo `search`; bez nich dostaniesz 400. Z każdej listy najwyżej 20 wpisów. Gdy coś jest na liście zgłoszonych osób lub serwerów, wyników z listy zaufanych nie ma. Pusta tablica `results` to brak wpisu, nie potwierdzenie uczciwości. Wzmianek, linków, numerów zgłoszeń ani `@`, `#0` i `#0001` w `search` nie rozpoznajemy, więc pusta odpowiedź nic wtedy nie znaczy.',
    query: checkQuerySchema,
    response: { description: 'Wynik sprawdzenia.', schema: checkResponseSchema },
    examples,
    errors: ['invalid_parameter', 'check_without_subject'],
  },
  rateLimit: 'lists',
  cacheControl: 'entries',
  parse: ({ query }) => parseCheckQuery(query),
  cachedHereUntil: ({ id }) => (id === undefined ? 'oneSecond' : 'notCached'),
  handle: ({ id, search }, { db, listReader }) => {
    if (id !== undefined) return { body: toCheckJson(toCheckResults(listPublicByChatId(db, id))) };
    if (search === undefined) throw new ApiError('check_without_subject');
    return { body: toCheckJson(preferReports(db, listReader.checkNick(search))) };
  },
});
