/**
 * What happens to a request, in this order: its target, the rate limit, the method, its parameters, the response cache or a
 * handler, and one `send`. It knows no noun; what it serves is handed in by src/site.ts. What the cache holds and an
 * answer by ID are there at once: always asynchronous, an answer by ID took 1.2 times the processor time.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Log } from '../log.ts';
import { splitQuery } from '../text/read-query.ts';
import { PREFLIGHT_HEADERS } from './response-headers.ts';
import { isLoopback } from './client-address.ts';
import type { ClientAddressOf } from './client-address.ts';
import { encode, isCompressible } from './content-encoding.ts';
import { chooseEncoding } from './request-headers.ts';
import { isErrorPage } from './error-pages.ts';
import { errorResult, prepare, toErrorResult } from './http-result.ts';
import type { HttpResult, PreparedResponse } from './http-result.ts';
import { readPageView } from './page-view.ts';
import type { PageView } from './page-view.ts';
import { rateLimitHeaders } from './rate-limit.ts';
import type { RateLimit, RateLimiter } from './rate-limit.ts';
import type { Pages } from './render-page.ts';
import { RequestContext } from './request-context.ts';
import type { RequestObserver } from './request-context.ts';
import { parseRequestTarget } from './request-target.ts';
import type { RequestTarget } from './request-target.ts';
import type { DataDependency, ResponseCache } from './response-cache.ts';
import type { MatchRoute, RouteMatch } from './routes.ts';
import { createSend } from './send.ts';

export interface RequestHandlerOptions {
  readonly matchRoute: MatchRoute;
  /** Handed to endpoints. */
  readonly services: object;
  readonly limiter: RateLimiter;
  readonly cache: ResponseCache;
  readonly clientAddressOf: ClientAddressOf;
  readonly pages: Pages;
  /** Pages that may be cached, by their path. */
  readonly cachedPages: Readonly<Record<string, CachedPage>>;
  /** The rate limit of a page, or of a picture that is served as one, by its path. */
  readonly pageLimitOf: (path: string) => RateLimit;
  /** Called for every page that is opened, whether it is made now or found in the cache. */
  readonly onPageView: (view: PageView) => void;
  /** Built files of the site; calls next when it has none for the path. */
  readonly serveStatic: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  /** The built file that is sent at an address of before; undefined for every other path. */
  readonly fileInPlaceOf: (path: string) => string | undefined;
  /** Value of Link on `/api` itself: where the interface is described. */
  readonly descriptionLink: string;
  readonly observer?: RequestObserver | undefined;
  readonly log: Log;
}

export interface CachedPage {
  /** Parameters that the page reads; others make no page of their own. */
  readonly parameters: readonly string[];
  readonly dependsOn: DataDependency | ((parameters: URLSearchParams) => DataDependency);
}

/** Undefined: the response is written elsewhere. */
type Answer = PreparedResponse | Promise<PreparedResponse> | undefined;

const PREFLIGHT: HttpResult = {
  status: 204,
  contentType: '',
  headers: Object.entries(PREFLIGHT_HEADERS).flat(),
  body: '',
};
const ignore = (): void => {};

export function createRequestHandler({
  matchRoute,
  services,
  limiter,
  cache,
  clientAddressOf,
  pages,
  cachedPages,
  pageLimitOf,
  onPageView,
  serveStatic,
  fileInPlaceOf,
  descriptionLink,
  observer,
  log,
}: RequestHandlerOptions): RequestListener {
  const logFailure = ({ route }: RequestContext, error: unknown): void =>
    log.error({ err: error, route }, 'response failed');
  const send = createSend(observer, logFailure);

  const respond = (context: RequestContext, work: () => Answer): void => {
    const fail = (error: unknown): void => {
      if (context.response.headersSent) {
        logFailure(context, error);
        // The client must neither take a part for the whole nor wait for the rest.
        context.response.destroy();
        return;
      }
      send(context, prepare(context.isPage ? pages.failed(context.route, error) : toResult(context, error)));
    };
    try {
      const answer = work();
      if (answer instanceof Promise) answer.then((prepared) => send(context, prepared), fail);
      else if (answer) send(context, answer);
    } catch (error) {
      fail(error);
    }
  };

  /** Answers an error with its own sentence, or that there was one. */
  const toResult = ({ route, isAborted }: RequestContext, error: unknown): HttpResult => {
    const result = toErrorResult(error);
    // What was broken off because the client has gone has not failed.
    if (!result && !isAborted) log.error({ err: error, route }, 'endpoint failed');
    return result ?? errorResult('internal');
  };

  const answer = (context: RequestContext): Answer => {
    const { request } = context;
    closeAfterBody(context);
    const target = parseRequestTarget(request);
    if (!target) return prepare(errorResult('bad_request'));
    if (request.method === 'OPTIONS') return prepare(PREFLIGHT);
    const match = matchRoute(target.path);
    if (match) return serveEndpoint(context, target, match);
    if (target.path.startsWith('/api/')) return prepare(errorResult('not_found'));
    if (target.path === '/api') return prepare(addLink(errorResult('not_found'), descriptionLink));
    return servePage(context, target);
  };

  /** @returns seconds to wait when the limit is used up */
  const consume = (context: RequestContext, limit: RateLimit): number | undefined => {
    const grant = limiter.take(limit, context.client);
    context.clientHeaders = rateLimitHeaders(grant);
    return grant.allowed ? undefined : grant.resetSeconds;
  };

  const serveEndpoint = (context: RequestContext, target: RequestTarget, match: RouteMatch): Answer => {
    const { request, client } = context;
    const { endpoint, path, route } = match;
    context.route = route;
    const { limit } = endpoint;
    const seconds =
      limit && !(limit.sparesLoopback && isLoopback(client)) ? consume(context, limit) : undefined;
    if (seconds !== undefined) return prepare(errorResult('rate_limited', { seconds }));
    if (!isRead(request)) return prepare(errorResult('method_not_allowed'));
    const { cacheKey, dependency, handle } = endpoint.parse({
      query: splitQuery(target.query),
      path,
      lastEventId: request.headers['last-event-id'] as string | undefined,
    });
    if (cacheKey !== undefined)
      return cache.get(dependency, `${target.path} ${cacheKey}`, chooseEncoding(request), async () => {
        try {
          return await handle(services, context.lasting);
        } catch (error) {
          // Once for all who wait for it.
          return toResult(context, error);
        }
      });
    const result = handle(services, context);
    const isShared = endpoint.isCacheable;
    return result instanceof Promise
      ? result.then((settled) => finish(context, settled, isShared))
      : finish(context, result, isShared);
  };

  /**
   * An answer that no cache keeps is compressed for its one client: on a phone that is worth more than the millisecond.
   * @param isShared it has the headers of a cached answer
   */
  const finish = (
    { request }: RequestContext,
    result: HttpResult,
    isShared: boolean,
  ): PreparedResponse | Promise<PreparedResponse> => {
    const { status = 200, ageMs = 0 } = result;
    const age = isShared && status === 200 ? ageMs : undefined;
    const encoding = isCompressible(result) ? chooseEncoding(request) : 'identity';
    if (encoding === 'identity') return prepare(result, age);
    return encode(result, encoding).then((encoded) => prepare(encoded, age));
  };

  const servePage = (context: RequestContext, target: RequestTarget): Answer => {
    const { request, response } = context;
    const { path } = target;
    const limit = pageLimitOf(path);
    context.route = 'page';
    if (!isRead(request)) {
      const seconds = consume(context, limit);
      return prepare(
        seconds === undefined ? errorResult('method_not_allowed') : errorResult('rate_limited', { seconds }),
      );
    }
    context.isPage = true;
    const cached = cachedPages[path];
    const isBlocked = !cached && isBlockedPath(path);
    const page = (): Answer => {
      const seconds = consume(context, limit);
      if (seconds !== undefined) return prepare(pages.rateLimited(seconds));
      if (isBlocked) return prepare(pages.notFound());
      const view = readPageView(request, target, context.client);
      if (view) onPageView(view);
      if (cached) return serveCachedPage(context, target, cached);
      return pages
        .render(toUrl(target), context.route, context)
        .then((result) => finish(context, result, false));
    };
    const moved = fileInPlaceOf(path);
    if (moved === undefined && (cached || isBlocked || !isFile(path))) return page();
    // Pages count; what they load does not, as long as it is there.
    for (let at = 0; at < pages.headers.length; at += 2)
      response.setHeader(pages.headers[at] ?? '', pages.headers[at + 1] ?? '');
    request.url = moved ?? toUrl(target);
    // sirv takes every range for a good one and dies half-way of those that end before they begin.
    delete request.headers.range;
    const observe = (): void => observer?.onResponse(context, response.statusCode);
    response.once('finish', observe);
    context.route = 'file';
    serveStatic(request, response, () => {
      response.removeListener('finish', observe);
      context.route = 'page';
      respond(context, page);
    });
    return undefined;
  };

  const serveCachedPage = (
    context: RequestContext,
    target: RequestTarget,
    { parameters, dependsOn }: CachedPage,
  ): Answer => {
    context.route = target.path;
    const query = canonicalQuery(target.query, parameters);
    const dependency = typeof dependsOn === 'function' ? dependsOn(query) : dependsOn;
    return cache.get(dependency, `${target.path}?${query.toString()}`, chooseEncoding(context.request), () =>
      pages.render(toUrl(target), context.route, context.lasting),
    );
  };

  return (request, response) => {
    response.on('error', ignore); // The client has gone.
    const context = new RequestContext(request, response, clientAddressOf(request));
    respond(context, () => answer(context));
  };
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Files that pages load have an extension; pages have none. */
function isFile(path: string): boolean {
  return /\.[a-z0-9]+$/.test(path);
}

function addLink(result: HttpResult, link: string): HttpResult {
  return { ...result, headers: [...(result.headers ?? []), 'Link', link] };
}

/** Bodies are never read: a request that brings one gets its answer, and the connection ends. */
function closeAfterBody({ request, response }: RequestContext): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding !== undefined || (length !== undefined && length !== '0'))
    response.setHeader('Connection', 'close');
}

/**
 * Paths that are never handed on. Astro's own addresses (image endpoint, server islands, actions) are not part of
 * this site; what Astro would decode or normalize once more could reach an endpoint past its rate limit; and compressed
 * files are encodings of others, not files of their own.
 */
function isBlockedPath(path: string): boolean {
  return isErrorPage(path) || /^\/_(?!astro\/)|[%\\]|\/\/|\/\.{1,2}(?:\/|$)|\.(?:br|gz)$/.test(path);
}

/** Written again: what is left of a malformed query must not make Astro refuse the page. */
function toUrl({ path, query }: RequestTarget): string {
  const url = encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23');
  return query === '' ? url : `${url}?${new URLSearchParams(query)}`;
}

/** The parameters that a page reads, in one order. */
function canonicalQuery(query: string, names: readonly string[]): URLSearchParams {
  const given = new URLSearchParams(query);
  const picked = new URLSearchParams();
  for (const name of names) for (const value of given.getAll(name)) picked.append(name, value);
  return picked;
}
