import { findManifestFile } from '#src/entries/snapshots/read-snapshot-file.ts';
import { JSON_TYPE } from '#src/http/api-headers.ts';
import { REVALIDATED_CACHE } from '#src/http/cache-policy.ts';
import { endpoint } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors.ts';
import { SNAPSHOTS_LIMIT } from '#src/http/rate-limit.ts';
import type { Services } from '#src/services.ts';

/** Which chunks make up the lists now. */
export const { definition, prerender, GET, HEAD, OPTIONS, ALL } = endpoint({
  limit: SNAPSHOTS_LIMIT,
  cache: REVALIDATED_CACHE,
  parse: () => ({ query: undefined, problems: [] }),
  handle: async (_, { db }: Services) => {
    const file = await findManifestFile(db.path);
    if (!file) throw new ApiError('not_found');
    return { ...file, contentType: JSON_TYPE };
  },
});
