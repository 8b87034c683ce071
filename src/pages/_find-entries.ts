import type { ListKind } from '#src/entries/entry.ts';
import { listEntries } from '#src/entries/list-entries.ts';
import type { EntriesPage } from '#src/entries/list-entries.ts';
import type { ListQuery } from '#src/entries/list-query.ts';
import { joinListOfOne, toListResponse } from '#src/entries/list-response.ts';
import { OverloadedError } from '#src/entries/search/search-pool.ts';
import type { Audience } from '#src/http/audience.ts';
import { JSON_TYPE } from '#src/http/api-headers.ts';
import { json, jsonText } from '#src/http/endpoint.ts';
import type { Reply } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors.ts';
import type { Services } from '#src/services.ts';

/**
 * A page of a list (SPEC 4.1): at once, or by a search, which takes its time in a thread.
 * @throws {OverloadedError} when too many searches wait already
 */
export function findEntries(
  { db, searches }: Services,
  list: ListKind,
  query: ListQuery,
  audience: Audience,
): EntriesPage | Promise<EntriesPage> {
  const { id, search } = query;
  // The ID wins (SPEC 4.1).
  if (id !== undefined || search === undefined) return listEntries(db, list, query);
  return searches.find(list, { ...query, search }, audience.signal);
}

/** The one entry with this ID, or none, where nothing but the ID is asked for. */
function replyById({ entries }: Services, list: ListKind, id: string): Reply {
  const one = entries.findById(id).find((entry) => entry.list === list);
  return one
    ? jsonText(joinListOfOne(one), one.tag && `"${one.tag}"`)
    : json(toListResponse({ entries: [], total: 0, hasMore: false }));
}

/**
 * From the list indexes where they are up to date; by `id` or `search`, or while they are not, from the entries.
 * @throws {ApiError} when too many searches wait already
 */
export function replyWithList(
  services: Services,
  list: ListKind,
  query: ListQuery,
  audience: Audience,
): Reply | Promise<Reply> {
  const { id, status, proofs, skip } = query;
  if (id !== undefined && status === 'all' && proofs === 'all' && skip === 0)
    return replyById(services, list, id);
  const isPage = id === undefined && query.search === undefined;
  const indexed = isPage ? services.listIndexes.page(list, query) : undefined;
  if (indexed) return { ...indexed, contentType: JSON_TYPE };
  const page = findEntries(services, list, query, audience);
  if (!(page instanceof Promise)) return json(toListResponse(page));
  return page.then(
    (found) => json(toListResponse(found)),
    (error: unknown) => {
      if (error instanceof OverloadedError) throw new ApiError('overloaded', { seconds: error.seconds });
      throw error;
    },
  );
}
