import { listEntries } from '#src/entries/list-entries.ts';
import { parseListQuery } from '#src/entries/list-query.ts';
import { toListResponse } from '#src/entries/list-response.ts';
import { LISTS_CACHE } from '#src/http/cache-policy.ts';
import { endpoint, json } from '#src/http/endpoint.ts';
import { LISTS_LIMIT } from '#src/http/rate-limit.ts';
import type { Services } from '#src/services.ts';

/** SPEC 4.1. */
export const { definition, prerender, GET, HEAD, OPTIONS, ALL } = endpoint({
  limit: LISTS_LIMIT,
  cache: LISTS_CACHE,
  parse: ({ query }) => parseListQuery(query),
  handle: (query, { db }: Services) => json(toListResponse(listEntries(db, 'scammers', query))),
});
