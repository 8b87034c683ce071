import { parseListKind } from '#src/entries/entry.ts';
import { parseChunkName } from '#src/entries/snapshots/chunk-name.ts';
import { MANIFEST_PATH } from '#src/entries/snapshots/manifest.ts';
import { findChunkFile } from '#src/entries/snapshots/read-snapshot-file.ts';
import { JSON_TYPE } from '#src/http/api-headers.ts';
import { CHUNK_CACHE } from '#src/http/cache-policy.ts';
import { endpoint } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors.ts';
import { SNAPSHOTS_LIMIT } from '#src/http/rate-limit.ts';
import type { Services } from '#src/services.ts';

/** A part of a list. What is gone, or never was, answers alike: the reader takes the manifest again. */
export const { definition, prerender, GET, HEAD, OPTIONS, ALL } = endpoint({
  limit: SNAPSHOTS_LIMIT,
  cache: CHUNK_CACHE,
  parse: ({ path }) => {
    const list = parseListKind(path['list'] ?? '');
    const chunk = path['chunk'] ?? '';
    if (!list || !parseChunkName(chunk)) throw new ApiError('not_found');
    return { query: { list, chunk }, problems: [] };
  },
  handle: async ({ list, chunk }, { db, baseUrl }: Services) => {
    const file = await findChunkFile(db.path, list, chunk);
    if (!file) throw new ApiError('snapshot_gone', { manifest: baseUrl + MANIFEST_PATH });
    return { ...file, contentType: JSON_TYPE };
  },
});
