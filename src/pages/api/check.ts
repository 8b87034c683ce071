import { toCheckResults } from '#src/entries/check-entries.ts';
import { parseCheckQuery } from '#src/entries/check-query.ts';
import { BY_ID } from '#src/entries/list-query.ts';
import { LISTS_CACHE } from '#src/http/cache-policy.ts';
import { endpoint, jsonText } from '#src/http/endpoint.ts';
import type { Reply } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors.ts';
import { LISTS_LIMIT } from '#src/http/rate-limit.ts';
import { joinCheck } from '#src/serving/list-response.ts';
import { listOf } from '#src/serving/ready-entry.ts';
import type { Services } from '#src/services.ts';
import { refuseOverload } from '../_find-entries.ts';

/** SPEC 4.2. */
export const { definition, prerender, GET, HEAD, OPTIONS, ALL } = endpoint({
  limit: LISTS_LIMIT,
  cache: LISTS_CACHE,
  madeAnew: BY_ID,
  isCheap: () => true,
  parse: ({ query }) => parseCheckQuery(query),
  handle: ({ id, search }, { serving }: Services, audience) => {
    if (id !== undefined)
      return replyWith(toCheckResults(serving.findById(id), ({ flags }) => listOf(flags)));
    if (search === undefined) throw new ApiError('check_without_subject');
    const found = serving.checkNick(search, 'body', audience);
    return found instanceof Promise ? found.then(replyWith, refuseOverload) : replyWith(found);
  },
});

/** Most nicks are nobody's. */
const NOTHING = joinCheck([]);

function replyWith(results: Parameters<typeof joinCheck>[0]): Reply {
  const { body, etag } = results.length === 0 ? NOTHING : joinCheck(results);
  return jsonText(body, etag);
}
