import { listResponseSchema } from '#src/entries/entry-schema.ts';
import type { ListKind } from '#src/entries/entry.ts';
import { listQuerySchema, parseListQuery } from '#src/entries/list-query.ts';
import { listPath } from '#src/paths.ts';
import { listParameters } from '../components/list/list-links.ts';
import { endpoint, type EndpointRoute } from '#src/http/endpoint.ts';
import legit from './_examples/legit.json' with { type: 'json' };
import scammers from './_examples/scammers.json' with { type: 'json' };
import servers from './_examples/servers.json' with { type: 'json' };

const OPERATIONS = {
  scammers: {
    id: 'listScammers',
    summary: 'Zgłoszone osoby: potwierdzone i niepotwierdzone.',
    examples: scammers,
  },
  servers: {
    id: 'listServers',
    summary: 'Zgłoszone serwery: potwierdzone i niepotwierdzone.',
    examples: servers,
  },
  legit: { id: 'listTrusted', summary: 'Zaufane osoby, zawsze potwierdzone.', examples: legit },
};

/** SPEC 4.1. */
export function listEndpoint(list: ListKind): EndpointRoute {
  return endpoint({
    operation: {
      ...OPERATIONS[list],
      tag: 'lists',
      description: 'Po jednej stronie naraz. Całą listę pobierzesz szybciej z `/snapshots/manifest.json`.',
      query: listQuerySchema,
      response: { description: 'Strona listy.', schema: listResponseSchema },
      errors: ['invalid_parameter', 'overloaded'],
    },
    rateLimit: 'lists',
    cacheControl: 'entries',
    parse: ({ query }) => parseListQuery(query),
    page: (query) => listPath(list, listParameters(query)),
    cachedHereUntil: ({ id, search, skip }) => {
      // Other pages, and entries by ID, are read faster than cached.
      if (id !== undefined || (skip > 0 && search === undefined)) return 'notCached';
      return search === undefined ? 'listChange' : 'oneSecond';
    },
    handle: (query, { listReader }, requester) => {
      const body = listReader.listJson(list, query, requester);
      return body instanceof Promise ? body.then((page) => ({ body: page })) : { body };
    },
  });
}
