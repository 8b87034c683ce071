import { listChanges, parseChangesQuery } from '#src/entries/list-changes.ts';
import { MANIFEST_PATH } from '#src/entries/snapshots/manifest.ts';
import { CHANGES_CACHE } from '#src/http/cache-policy.ts';
import { endpoint, json } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors.ts';
import { LISTS_LIMIT } from '#src/http/rate-limit.ts';
import type { Services } from '#src/services.ts';

/** How a mirror keeps up; the README tells how it starts. */
export const { definition, prerender, GET, HEAD, OPTIONS, ALL } = endpoint({
  limit: LISTS_LIMIT,
  cache: CHANGES_CACHE,
  parse: ({ query }) => parseChangesQuery(query),
  handle: (query, { db, baseUrl }: Services) => {
    const page = listChanges(db, query);
    if (!page) throw new ApiError('cursor_gone', { manifest: baseUrl + MANIFEST_PATH });
    return json(page);
  },
});
