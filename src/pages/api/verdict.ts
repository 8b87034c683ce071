import { verdictResponseSchema } from '#src/entries/verdict-schema.ts';
import { parseVerdictQuery, verdictQuerySchema } from '#src/entries/verdict.ts';
import type { VerdictQuery } from '#src/entries/verdict.ts';
import { JSON_TYPE } from '#src/http/api-headers.ts';
import { LISTS_CACHE } from '#src/http/cache-policy.ts';
import { endpoint, jsonText } from '#src/http/endpoint.ts';
import type { Reply } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors.ts';
import { VERDICTS_LIMIT } from '#src/http/rate-limit.ts';
import type { LookAlike } from '#src/serving/look-alikes.ts';
import { joinVerdict } from '#src/serving/verdict-response.ts';
import type { Services } from '#src/services.ts';
import { LATER_SECONDS } from '#src/serving/search-pool.ts';
import examples from '../_examples/verdict.json' with { type: 'json' };

/** Raw queries without a name: what is asked of the name takes nearly all of the time. */
const BY_ID_ALONE = /^(?!.*name=)/;
/** Bots ask about every message: whoever writes one writes another. */
const SPEAKS_AGAIN_MS = 30_000;

/** One answer about an ID, a name or both: verdict, warnings, look-alikes. */
export const { definition, prerender, GET, HEAD, OPTIONS, ALL } = endpoint({
  operation: {
    id: 'verdict',
    tag: 'check',
    summary: 'Jednoznaczny wynik dla ID oraz lista nicków podobnych do podanego.',
    description:
      'O wyniku decyduje tylko ID. Sam nick daje zawsze `unknown` i najwyżej ostrzeżenia, bo podobieństwo nie świadczy o zamiarze.',
    query: verdictQuerySchema,
    answer: { description: 'Wynik.', content: { [JSON_TYPE]: verdictResponseSchema } },
    examples,
    errors: ['invalid_parameter', 'check_without_subject', 'overloaded'],
  },
  limit: VERDICTS_LIMIT,
  cache: LISTS_CACHE,
  madeAnew: BY_ID_ALONE,
  worthWithinMs: () => SPEAKS_AGAIN_MS,
  parse: ({ query }) => parseVerdictQuery(query),
  handle: (query, services: Services) => {
    const { id, name } = query;
    if (id === undefined && name === undefined) throw new ApiError('check_without_subject');
    const lookAlikes = name === undefined ? [] : services.serving.findLookAlikes(name, id);
    return lookAlikes instanceof Promise
      ? lookAlikes.then((found) => reply(query, services, found))
      : reply(query, services, lookAlikes);
  },
});

/** @throws {ApiError} when nobody knows the look-alikes: an answer without them would say that there are none */
function reply(
  query: VerdictQuery,
  { serving, createdAt }: Services,
  lookAlikes: readonly LookAlike[] | undefined,
): Reply {
  if (!lookAlikes) throw new ApiError('overloaded', { seconds: LATER_SECONDS });
  const found = query.id === undefined ? [] : serving.findById(query.id);
  const { body, etag } = joinVerdict(query, found, lookAlikes, serving.dataAt() ?? createdAt());
  return jsonText(body, etag);
}
