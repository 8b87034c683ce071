import { toCheckResults } from '#src/entries/check-entries.ts';
import { parseCheckQuery } from '#src/entries/check-query.ts';
import type { ListKind } from '#src/entries/entry.ts';
import { findReadyEntry } from '#src/entries/entry-file/ready-entries.ts';
import type { ReadyEntry } from '#src/entries/entry-file/ready-entries.ts';
import { BY_ID } from '#src/entries/list-query.ts';
import { joinCheckResponse } from '#src/entries/list-response.ts';
import { LISTS_CACHE } from '#src/http/cache-policy.ts';
import { endpoint, jsonText } from '#src/http/endpoint.ts';
import type { Reply } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors.ts';
import { strongEtag } from '#src/http/etag.ts';
import { LISTS_LIMIT } from '#src/http/rate-limit.ts';
import type { Services } from '#src/services.ts';

/** SPEC 4.2. */
export const { definition, prerender, GET, HEAD, OPTIONS, ALL } = endpoint({
  limit: LISTS_LIMIT,
  cache: LISTS_CACHE,
  madeAnew: BY_ID,
  isCheap: () => true,
  parse: ({ query }) => parseCheckQuery(query),
  handle: ({ id, search }, { db, entries, names }: Services) => {
    if (id !== undefined) return replyWith(toCheckResults(entries.findById(id)));
    if (search === undefined) throw new ApiError('check_without_subject');
    const filed = entries.filed();
    const found =
      (filed && names.findFiled(search, filed)) ?? names.find(search, (row) => findReadyEntry(db, row));
    return found instanceof Promise ? found.then(replyWith) : replyWith(found);
  },
});

type Results = readonly { readonly kind: ListKind; readonly found: readonly ReadyEntry[] }[];

/** Most nicks are nobody's. */
const NOBODY = joinCheckResponse([]);
const NOTHING = jsonText(NOBODY, strongEtag(NOBODY));

function replyWith(results: Results): Reply {
  if (results.length === 0) return NOTHING;
  return jsonText(joinCheckResponse(results), etagOf(results));
}

/** Longer ones are hashed. */
const TAGS_MAX = 4;

/** Undefined when only the answer's own bytes tell. */
function etagOf(results: Results): string | undefined {
  let tag = '';
  let count = 0;
  for (const { found } of results) {
    for (const entry of found) {
      if (entry.tag === undefined) return undefined;
      tag = count === 0 ? entry.tag : `${tag}.${entry.tag}`;
      count += 1;
    }
  }
  return count > TAGS_MAX ? strongEtag(tag) : `"${tag}"`;
}
