import { STATUS_CACHE } from '#src/http/cache-policy.ts';
import { endpoint, json } from '#src/http/endpoint.ts';
import { STATUS_LIMIT } from '#src/http/rate-limit.ts';
import type { Services } from '#src/services.ts';

/** SPEC 4.3; it has no parameters. */
export const { definition, prerender, GET, HEAD, OPTIONS, ALL } = endpoint({
  limit: STATUS_LIMIT,
  cache: STATUS_CACHE,
  parse: () => ({ query: undefined, problems: [] }),
  handle: async (_query, { readStatus }: Services) => {
    const { status, keptSeconds } = await readStatus();
    return { ...json(status), keptSeconds };
  },
});
