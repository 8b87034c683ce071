/** A page: its limit, the methods that it knows, whether it is one at all, and who has opened it. */
import { errorAnswer } from '../endpoint.ts';
import { isErrorPage } from '../error-pages.ts';
import { PAGE_HEADERS } from '../page-headers.ts';
import { readPageView } from '../page-view.ts';
import { PAGES_LIMIT, rateLimitHeaders } from '../rate-limit.ts';
import type { RequestTarget } from '../request-target.ts';
import { answerFromCache, answerUncached } from './answer-from-cache.ts';
import { htmlAnswer } from './error-answers.ts';
import { answerPage } from './make-page.ts';
import { takeFromPageLimit } from './page-limit.ts';
import { preflight, send } from './send-answer.ts';
import { isFile, serveFile } from './serve-file.ts';
import { isRead } from './visit.ts';
import type { FrontDoor, Visit } from './visit.ts';

const PAGE_HEADER_LIST = Object.entries(PAGE_HEADERS).flat();

export function servePages(door: FrontDoor, visit: Visit, target: RequestTarget): void {
  const { request, response } = visit;
  visit.route = 'page';
  if (request.method === 'OPTIONS') return preflight(response);
  const limit = door.pageLimitOf(target.path);
  if (!isRead(request)) {
    const seconds = takeFromPageLimit(door, visit, limit);
    const refusal =
      seconds === undefined ? errorAnswer('method_not_allowed') : errorAnswer('rate_limited', { seconds });
    return send(visit, refusal);
  }
  const headers = door.pageHeaders ?? PAGE_HEADER_LIST;
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at] ?? '', headers[at + 1] ?? '');
  const hidden = isHidden(target.path);
  const url = encodeTarget(target);
  request.url = url;
  const isCounted = (): boolean => {
    const seconds = takeFromPageLimit(door, visit, limit);
    if (seconds === undefined) return true;
    send(visit, htmlAnswer(429, door.errorPages.rateLimited(seconds)));
    return false;
  };
  const render = (): void => {
    if (hidden) return send(visit, htmlAnswer(404, door.errorPages.notFound()));
    const address = door.clientAddressOf(request);
    const view = readPageView(request, target, address);
    if (view) door.onPageView(view);
    answerUncached(door, visit, (waiters) => answerPage(door, url, visit.route, waiters, address), false);
  };
  // sirv takes every range for a good one and dies half-way of those that end before they begin.
  delete request.headers.range;
  // Pages count; what they load does not, as long as it is there.
  const page = (): void => {
    if (isCounted()) render();
  };
  const moved = door.fileInPlaceOf(target.path);
  if (moved !== undefined) request.url = moved;
  if (moved !== undefined || (!hidden && isFile(target.path))) serveFile(door, visit, page);
  else page();
}

/** A page that has no file and whose parameters are known: answered out of the cache without a look at either. */
export function serveKnownPage(door: FrontDoor, visit: Visit, target: RequestTarget): void {
  const { request } = visit;
  visit.route = target.path;
  const parameters = door.pageParameters[target.path] ?? [];
  const address = door.clientAddressOf(request);
  const grant = door.limiter.take(PAGES_LIMIT, address);
  visit.own = [...(door.pageHeaders ?? PAGE_HEADER_LIST), ...rateLimitHeaders(grant)];
  if (!grant.allowed) {
    return send(visit, htmlAnswer(429, door.errorPages.rateLimited(grant.resetSeconds)));
  }
  const view = readPageView(request, target, address);
  if (view) door.onPageView(view);
  const key = `${target.path} ${pickParameters(target.query, parameters)}`;
  answerFromCache(door, visit, key, (waiters) =>
    answerPage(door, encodeTarget(target), visit.route, waiters, address),
  );
}

/**
 * Paths that are never handed on. Astro's own addresses (image endpoint, server islands, actions) are not part of
 * this site; what Astro would decode or normalize once more could reach an endpoint past its rate limit; and compressed
 * files are forms of others, not files of their own.
 */
function isHidden(path: string): boolean {
  return isErrorPage(path) || /^\/_(?!astro\/)|[%\\]|\/\/|\/\.{1,2}(?:\/|$)|\.(?:br|gz)$/.test(path);
}

/** Encoded anew: what is left of a malformed query must not make Astro's adapter refuse the page. */
function encodeTarget({ path, query }: RequestTarget): string {
  const url = encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23');
  return query === '' ? url : `${url}?${new URLSearchParams(query)}`;
}

/** What a page reads of its query, in one order: what it does not know makes no page of its own. */
function pickParameters(query: string, names: readonly string[]): string {
  const given = new URLSearchParams(query);
  const picked = new URLSearchParams();
  for (const name of names) for (const value of given.getAll(name)) picked.append(name, value);
  return picked.toString();
}
