import { toCheckResults } from '#src/entries/check-entries.ts';
import { parseCheckQuery } from '#src/entries/check-query.ts';
import { joinCheckResponse } from '#src/entries/list-response.ts';
import { findEntryJson, listEntryJsonById } from '#src/entries/read-entry.ts';
import { LISTS_CACHE } from '#src/http/cache-policy.ts';
import { endpoint, jsonText } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors.ts';
import { LISTS_LIMIT } from '#src/http/rate-limit.ts';
import type { Services } from '#src/services.ts';

/** SPEC 4.2. */
export const { definition, prerender, GET, HEAD, OPTIONS, ALL } = endpoint({
  limit: LISTS_LIMIT,
  cache: LISTS_CACHE,
  parse: ({ query }) => parseCheckQuery(query),
  handle: ({ id, search }, { db, names }: Services) => {
    if (id !== undefined) return jsonText(joinCheckResponse(toCheckResults(listEntryJsonById(db, id))));
    if (search === undefined) throw new ApiError('check_without_subject');
    const found = names.find(search, (row) => findEntryJson(db, row));
    return found instanceof Promise
      ? found.then((results) => jsonText(joinCheckResponse(results)))
      : jsonText(joinCheckResponse(found));
  },
});
