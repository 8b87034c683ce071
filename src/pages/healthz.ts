import { NO_STORE } from '#src/http/cache-policy.ts';
import { endpoint, json } from '#src/http/endpoint.ts';
import { HEALTH_LIMIT } from '#src/http/rate-limit.ts';

/**
 * The process is alive: it takes requests and answers them. It tells who asks the address that it is known by, so that
 * one can see whether a proxy passes it on.
 */
export const { definition, prerender, GET, HEAD, OPTIONS, ALL } = endpoint({
  limit: HEALTH_LIMIT,
  cache: NO_STORE,
  parse: () => ({ query: undefined, problems: [] }),
  handle: (_query, _services, { client }) => json({ alive: true, address: client }),
});
