import type { ListKind } from '#src/entries/entry.ts';
import type { ListQuery } from '#src/entries/list-query.ts';
import type { Requester } from '#src/turns/fair-queue.ts';
import { jsonText, type HttpResult } from '#src/http/http-result.ts';
import type { Services } from '#src/services.ts';

/**
 * A page of a list as the API sends it (SPEC 4.1).
 * @throws {OverloadedError} when too many searches wait already
 */
export function replyWithList(
  { lists }: Services,
  list: ListKind,
  query: ListQuery,
  requester: Requester,
): HttpResult | Promise<HttpResult> {
  const page = lists.listJson(list, query, requester);
  return page instanceof Promise ? page.then(jsonText) : jsonText(page);
}
