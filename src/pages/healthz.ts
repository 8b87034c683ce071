import { NO_STORE } from '#src/http/cache-policy.ts';
import { endpoint, json } from '#src/http/endpoint.ts';
import { HEALTH_LIMIT } from '#src/http/rate-limit.ts';

/** The process is alive: it takes requests and answers them. */
export const { definition, prerender, GET, HEAD, OPTIONS, ALL } = endpoint({
  limit: HEALTH_LIMIT,
  cache: NO_STORE,
  parse: () => ({ query: undefined, problems: [] }),
  handle: () => json({ alive: true }),
});
