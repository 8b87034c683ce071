/**
 * Pages and endpoints: a file an address; what begins with `_` is shared by some of them. This file is the model of an
 * endpoint: `operation` is what `/openapi.json` and `/docs` say of it, `limit` and `cache` are SPEC 8, `parse` turns the
 * query into what `handle` answers. The request handler does the rest; a page is as thin, see legit.astro.
 */
import { isFirstPageOrSearch, parseListQuery } from '#src/entries/list-query.ts';
import { LISTS_CACHE } from '#src/http/response-headers.ts';
import { endpoint } from '#src/http/endpoint.ts';
import { LISTS_LIMIT } from '#src/http/rate-limit.ts';
import type { Services } from '#src/services.ts';
import { replyWithList } from '../_reply-with-list.ts';
import { listOperation } from '../_list-operation.ts';

/** SPEC 4.1. */
export const ALL = endpoint({
  operation: listOperation('listTrusted', 'legit', 'Zaufane osoby, zawsze potwierdzone.'),
  limit: LISTS_LIMIT,
  cache: LISTS_CACHE,
  parse: ({ query }) => parseListQuery(query),
  isCached: isFirstPageOrSearch,
  dependsOn: ({ sort }) => (sort.startsWith('popular') ? 'popularity' : 'lists'),
  handle: (query, services: Services, requester) => replyWithList(services, 'legit', query, requester),
});
