import { isFirstPageOrSearch, parseListQuery } from '#src/entries/list-query.ts';
import { LISTS_CACHE } from '#src/http/response-headers.ts';
import { endpoint } from '#src/http/endpoint.ts';
import { LISTS_LIMIT } from '#src/http/rate-limit.ts';
import type { Services } from '#src/services.ts';
import { replyWithList } from '../_reply-with-list.ts';
import { listOperation } from '../_list-operation.ts';

/** SPEC 4.1. */
export const ALL = endpoint({
  operation: listOperation('listScammers', 'scammers', 'Zgłoszone osoby: potwierdzone i z listy ryzyka.'),
  limit: LISTS_LIMIT,
  cache: LISTS_CACHE,
  parse: ({ query }) => parseListQuery(query),
  isCached: isFirstPageOrSearch,
  dependsOn: ({ sort }) => (sort.startsWith('popular') ? 'popularity' : 'lists'),
  handle: (query, services: Services, requester) => replyWithList(services, 'scammers', query, requester),
});
