import { toCheckResults } from '#src/entries/check-entries.ts';
import type { CheckResult } from '#src/entries/check-entries.ts';
import { parseCheckQuery } from '#src/entries/check-query.ts';
import { tagOf } from '#src/entries/entry-file/ready-entries.ts';
import type { ReadyEntry } from '#src/entries/entry-file/ready-entries.ts';
import { BY_ID } from '#src/entries/list-query.ts';
import { joinCheckResponse } from '#src/entries/list-response.ts';
import { LISTS_CACHE } from '#src/http/cache-policy.ts';
import { endpoint, jsonText } from '#src/http/endpoint.ts';
import type { Reply } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors.ts';
import { LISTS_LIMIT } from '#src/http/rate-limit.ts';
import type { Services } from '#src/services.ts';

/** SPEC 4.2. */
export const { definition, prerender, GET, HEAD, OPTIONS, ALL } = endpoint({
  limit: LISTS_LIMIT,
  cache: LISTS_CACHE,
  madeAnew: BY_ID,
  parse: ({ query }) => parseCheckQuery(query),
  handle: ({ id, search }, { entries, names }: Services) => {
    if (id !== undefined) return replyWith(toCheckResults(entries.findById(id)));
    if (search === undefined) throw new ApiError('check_without_subject');
    const found = names.find(search, (row, head) => entries.findByRow(row, head));
    return found instanceof Promise ? found.then(replyWith) : replyWith(found);
  },
});

function replyWith(results: readonly CheckResult<ReadyEntry>[]): Reply {
  const reply = jsonText(joinCheckResponse(results), tagOf(results.flatMap(({ found }) => found)));
  return { ...reply, isCheap: true };
}
