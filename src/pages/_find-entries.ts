import type { ListKind } from '#src/entries/entry.ts';
import type { ListQuery } from '#src/entries/list-query.ts';
import type { Waiters } from '#src/http/waiters.ts';
import { JSON_TYPE } from '#src/http/api-headers.ts';
import type { Reply } from '#src/http/endpoint.ts';
import { joinList } from '#src/serving/list-response.ts';
import type { ListPage } from '#src/serving/serving.ts';
import type { Frame } from '#src/serving/ready-entry.ts';
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
  const page = serving.list(list, query, 'body', waiters);
  return page instanceof Promise ? page.then(toReply) : toReply(page);
}

function toReply({ entries, total, hasMore }: ListPage<Frame>): Reply {
  return { ...joinList(entries, total, hasMore), contentType: JSON_TYPE };
}
