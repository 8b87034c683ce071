/** An endpoint: its route, its limit, the methods that it knows, and its answer. */
import { splitQuery } from '../../text/read-query.ts';
import { isLoopback } from '../client-address.ts';
import { errorAnswer } from '../endpoint.ts';
import type { Answer } from '../endpoint.ts';
import { readListHeader } from '../list-header.ts';
import { rateLimitHeaders } from '../rate-limit.ts';
import type { RequestTarget } from '../request-target.ts';
import type { Produce } from '../shared-cache.ts';
import { answerFromCache, answerUncached } from './answer-from-cache.ts';
import { preflight, send } from './send-answer.ts';
import { isRead } from './visit.ts';
import type { FrontDoor, Visit } from './visit.ts';

export function serveApi(door: FrontDoor, visit: Visit, target: RequestTarget): void {
  const { request, response } = visit;
  if (request.method === 'OPTIONS') return preflight(response);
  const match = door.matchRoute(target.path);
  if (!match) return send(visit, withLink(door, target.path, errorAnswer('not_found')));
  const { endpoint } = match;
  visit.route = match.route;
  const { limit } = endpoint;
  if (limit && !(limit.sparesLoopback && isLoopback(door.clientAddressOf(request)))) {
    const grant = door.limiter.take(limit, door.clientAddressOf(request));
    visit.own = rateLimitHeaders(grant);
    const { allowed, resetSeconds: seconds } = grant;
    if (!allowed) return send(visit, errorAnswer('rate_limited', { seconds }));
  }
  if (!isRead(request)) return send(visit, errorAnswer('method_not_allowed'));
  const type = endpoint.chooseType(readListHeader(request, 'accept'));
  const read = endpoint.read({
    query: splitQuery(target.query),
    path: match.path,
    lastEventId: request.headers['last-event-id'] as string | undefined,
    type,
  });
  if (!('answer' in read)) return send(visit, read);
  const report = (error: unknown): void =>
    door.log.error({ err: error, route: match.route }, 'endpoint failed');
  const produce: Produce = (waiters) => {
    waiters.client = door.clientAddressOf(request);
    return read.answer(door.services, report, waiters);
  };
  if (read.key === undefined) return answerUncached(door, visit, produce, endpoint.isCacheable);
  answerFromCache(door, visit, `${target.path} ${read.key}`, produce);
}

function withLink({ descriptionLink }: FrontDoor, path: string, answer: Answer): Answer {
  return path === '/api' ? { ...answer, headers: { ...answer.headers, Link: descriptionLink } } : answer;
}
