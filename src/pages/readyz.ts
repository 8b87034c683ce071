import { listUnreadiness } from '#src/db/readiness.ts';
import { NO_STORE } from '#src/http/cache-policy.ts';
import { endpoint, json } from '#src/http/endpoint.ts';
import { HEALTH_LIMIT } from '#src/http/rate-limit.ts';
import type { Services } from '#src/services.ts';

/** The service can serve, be it without the read model; else 503 says why, for machines. */
export const { definition, prerender, GET, HEAD, OPTIONS, ALL } = endpoint({
  limit: HEALTH_LIMIT,
  cache: NO_STORE,
  parse: () => ({ query: undefined, problems: [] }),
  handle: (_query, { db }: Services) => {
    const reasons = listUnreadiness(db);
    return { ...json({ ready: reasons.length === 0, reasons }), status: reasons.length === 0 ? 200 : 503 };
  },
});
