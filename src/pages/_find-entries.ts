import type { ListKind } from '#src/entries/entry.ts';
import type { ListQuery } from '#src/entries/list-query.ts';
import type { Waiters } from '#src/http/waiters.ts';
import { jsonText } from '#src/http/endpoint.ts';
import type { Reply } from '#src/http/endpoint.ts';
import type { Services } from '#src/services.ts';

/**
 * A page of a list as the API sends it (SPEC 4.1).
 * @throws {OverloadedError} when too many searches wait already
 */
export function replyWithList(
  { serving }: Services,
  list: ListKind,
  query: ListQuery,
  waiters: Waiters,
): Reply | Promise<Reply> {
  const page = serving.listJson(list, query, waiters);
  return page instanceof Promise ? page.then(jsonText) : jsonText(page);
}
