import { checkEntries } from '#src/entries/check-entries.ts';
import { parseCheckQuery } from '#src/entries/check-query.ts';
import { toCheckResponse } from '#src/entries/list-response.ts';
import { LISTS_CACHE } from '#src/http/cache-policy.ts';
import { endpoint, json } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors.ts';
import { LISTS_LIMIT } from '#src/http/rate-limit.ts';
import type { Services } from '#src/services.ts';

/** SPEC 4.2. */
export const { definition, prerender, GET, HEAD, OPTIONS, ALL } = endpoint({
  limit: LISTS_LIMIT,
  cache: LISTS_CACHE,
  parse: ({ query }) => parseCheckQuery(query),
  handle: (query, { db }: Services) => {
    if (query.id === undefined && query.search === undefined) throw new ApiError('check_without_subject');
    return json(toCheckResponse(checkEntries(db, query)));
  },
});
