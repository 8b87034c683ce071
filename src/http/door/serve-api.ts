/** An endpoint: its route, its limit, the methods that it knows, and its answer. */
import type { IncomingMessage } from 'node:http';
import { splitQuery } from '../../text/read-query.ts';
import { isLoopback } from '../client-address.ts';
import { errorAnswer } from '../endpoint.ts';
import type { Answer, Question } from '../endpoint.ts';
import { readListHeader } from '../list-header.ts';
import { rateLimitHeaders } from '../rate-limit.ts';
import type { RequestTarget } from '../request-target.ts';
import type { Produce } from '../shared-cache.ts';
import { answerFromCache, answerUncached } from './answer-from-cache.ts';
import { preflight, send } from './send-answer.ts';
import { isRead } from './visit.ts';
import type { FrontDoor, Visit } from './visit.ts';

/** A compressed form costs far more to make than what it is made of. */
const PACKED_WORTH_WITHIN_MS = 30_000;

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
  // Parsed at most once: a known key needs it only when the answer is not in the cache.
  let parsed: Question | Answer | undefined;
  const parse = (): Question | Answer =>
    (parsed ??= endpoint.read({
      query: splitQuery(target.query),
      path: match.path,
      lastEventId: request.headers['last-event-id'] as string | undefined,
      type,
    }));
  const produce: Produce = (waiters) => {
    waiters.client = door.clientAddressOf(request);
    const read = parse();
    if (!('answer' in read)) return read;
    const report = (error: unknown): void =>
      door.log.error({ err: error, route: match.route }, 'endpoint failed');
    return read.answer(door.services, report, waiters);
  };
  if (!endpoint.isCacheable || endpoint.madeAnew?.test(target.query))
    return answerUncached(door, visit, produce, endpoint.isCacheable);
  const work = (): string | undefined => {
    const read = parse();
    return 'answer' in read ? `${target.path} ${read.key}` : undefined;
  };
  const withinMs = endpoint.worthWithinMs?.(target.query);
  const key =
    withinMs === undefined
      ? door.keys.find(request.url ?? '', type, work)
      : door.keys.findRepeated(request.url ?? '', type, orPacked(door, request, withinMs), work);
  answerFromCache(door, visit, key, produce);
}

function withLink({ descriptionLink }: FrontDoor, path: string, answer: Answer): Answer {
  return path === '/api' ? { ...answer, headers: { ...answer.headers, Link: descriptionLink } } : answer;
}

/** Milliseconds in which a second question makes an answer worth keeping, in the form that this client takes. */
function orPacked(door: FrontDoor, request: IncomingMessage, plainMs: number): number {
  return door.chooseEncoding(request) === 'identity' ? plainMs : Math.max(plainMs, PACKED_WORTH_WITHIN_MS);
}
