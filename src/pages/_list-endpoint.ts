import { listResponseSchema } from '#src/entries/entry-schema.ts';
import type { ListKind } from '#src/entries/entry.ts';
import { isFirstPageOrSearch, listQuerySchema, parseListQuery } from '#src/entries/list-query.ts';
import { endpoint, type EndpointRoute } from '#src/http/endpoint.ts';
import legit from './_examples/legit.json' with { type: 'json' };
import scammers from './_examples/scammers.json' with { type: 'json' };
import servers from './_examples/servers.json' with { type: 'json' };

const EXAMPLES = { scammers, servers, legit };

/** SPEC 4.1. @param id of the operation */
export function listEndpoint(id: string, list: ListKind, summary: string): EndpointRoute {
  return endpoint({
    operation: {
      id,
      tag: 'lists',
      summary,
      query: listQuerySchema,
      answer: { description: 'Strona listy.', schema: listResponseSchema },
      examples: EXAMPLES[list],
      errors: ['invalid_parameter', 'overloaded'],
    },
    limit: 'lists',
    cache: 'lists',
    parse: ({ query }) => parseListQuery(query),
    isCached: isFirstPageOrSearch,
    invalidatedBy: ({ sort }) => (sort.startsWith('popular') ? 'popularity' : 'lists'),
    handle: (query, { lists }, requester) => {
      const body = lists.listJson(list, query, requester);
      return body instanceof Promise ? body.then((page) => ({ body: page })) : { body };
    },
  });
}
