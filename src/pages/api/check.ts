import { checkResponseSchema } from '#src/entries/check-schema.ts';
import { toCheckResults } from '#src/entries/check-entries.ts';
import { checkQuerySchema, parseCheckQuery } from '#src/entries/check-query.ts';
import { BY_ID, CHEAP_WITHIN_MS } from '#src/entries/list-query.ts';
import { LISTS_CACHE } from '#src/http/cache-policy.ts';
import { JSON_TYPE } from '#src/http/api-headers.ts';
import { endpoint, jsonText } from '#src/http/endpoint.ts';
import type { Reply } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors.ts';
import { LISTS_LIMIT } from '#src/http/rate-limit.ts';
import { joinCheck } from '#src/serving/list-response.ts';
import { listOf } from '#src/serving/ready-entry.ts';
import type { Services } from '#src/services.ts';
import examples from '../_examples/check.json' with { type: 'json' };

/** SPEC 4.2. */
export const { definition, prerender, GET, HEAD, OPTIONS, ALL } = endpoint({
  operation: {
    id: 'check',
    tag: 'check',
    summary: 'Szuka osoby albo serwera na wszystkich listach naraz.',
    description:
      'Podaj `id` albo `search`; bez nich dostaniesz 400. Z każdej listy najwyżej 20 wpisów. Gdy coś jest na liście zgłoszonych osób lub serwerów, wyników z listy zaufanych nie ma. Pusta tablica `results` to brak wpisu, nie potwierdzenie uczciwości. Wzmianek, linków, numerów zgłoszeń ani `@` i `#0001` w `search` nie rozpoznajemy, więc pusta odpowiedź nic wtedy nie znaczy.',
    query: checkQuerySchema,
    answer: { description: 'Wynik sprawdzenia.', content: { [JSON_TYPE]: checkResponseSchema } },
    examples,
    errors: ['invalid_parameter', 'check_without_subject', 'overloaded'],
  },
  limit: LISTS_LIMIT,
  cache: LISTS_CACHE,
  madeAnew: BY_ID,
  worthWithinMs: () => CHEAP_WITHIN_MS,
  parse: ({ query }) => parseCheckQuery(query),
  handle: ({ id, search }, { serving }: Services, waiters) => {
    if (id !== undefined)
      return replyWith(toCheckResults(serving.findById(id), ({ flags }) => listOf(flags)));
    if (search === undefined) throw new ApiError('check_without_subject');
    const found = serving.checkNick(search, 'body', waiters);
    return found instanceof Promise ? found.then(replyWith) : replyWith(found);
  },
});

/** Most nicks are nobody's. */
const NOTHING = joinCheck([]);

function replyWith(results: Parameters<typeof joinCheck>[0]): Reply {
  const { body, etag } = results.length === 0 ? NOTHING : joinCheck(results);
  return jsonText(body, etag);
}
