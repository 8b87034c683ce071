/**
 * The way of a request, in the order of its steps and of this file. `run`, at the end, is around all of them: it takes the
 * answer, or makes one of its error by `sendFailure` and `reportError`.
 *
 * - `http-server.ts` hands on the requests of a connection one at a time; `rate-limit.ts` says who asks.
 * - `dispatch` reads Host and target (`http-server.ts`) and finds the endpoint, the page or a 404.
 * - `refuse` counts the request (`rate-limit.ts`) and refuses other methods.
 * - `parse` and `handle` are the endpoint's (`endpoint.ts`): parameters, then an `HttpResult`, to which `addHeaders` adds
 *   Cache-Control and ETag. `pages.render` (`render-page.ts`) does the same for a page.
 * - `cache.get` (`response-cache.ts`) answers without `handle`, or keeps what they answer.
 * - `toPreparedIn` (`response.ts`), for the cache and for what it does not keep, compresses and makes the list of headers.
 * - `send` (`http-server.ts`) collects the answers of a turn of the event loop; `write` adds the client's rate limit and Age, or
 *   sends a 304.
 *
 * Cached answers and answers by ID are synchronous: an asynchronous answer by ID took 1.2 times the processor time.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Log } from '../log.ts';
import type { MatchRoute, RouteMatch } from './endpoint.ts';
import {
  createSend,
  parseRequestTarget,
  RequestContext,
  type RequestTarget,
  type ResponseObserver,
} from './http-server.ts';
import {
  isLoopback,
  LIMITS,
  rateLimitHeaders,
  type ClientAddressOf,
  type LimitName,
  type RateLimiter,
} from './rate-limit.ts';
import { BLOCKED_PATH, toUrl, type Pages } from './render-page.ts';
import {
  encodingFor,
  errorResult,
  generateRequestId,
  PREFLIGHT,
  toErrorResult,
  toPrepared,
  toPreparedIn,
  type HttpResult,
  type Preparation,
  type PreparedResponse,
} from './response.ts';
import type { ResponseCache } from './response-cache.ts';

export interface RequestHandlerOptions {
  readonly matchRoute: MatchRoute;
  readonly limiter: RateLimiter;
  readonly cache: ResponseCache;
  readonly clientAddressOf: ClientAddressOf;
  readonly pages: Pages;
  /** Called for cached pages too; the address is never stored unchanged. */
  readonly onPageView: (view: RequestTarget & { readonly address: string; readonly agent: string }) => void;
  readonly serveStatic: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  readonly responseObservers: readonly ResponseObserver[];
  readonly log: Log;
}

/** Undefined: serveStatic writes the response. */
type Answer = Preparation | undefined;

export function createRequestHandler(options: RequestHandlerOptions): RequestListener {
  const { cache, pages, responseObservers, log } = options;
  const send = createSend(responseObservers, logFailure, cache.now);
  return (request, response) => {
    // The client disconnected.
    response.on('error', () => {});
    run(new RequestContext(request, response, options.clientAddressOf(request)), dispatch);
  };

  function dispatch(context: RequestContext): Answer {
    const { request } = context;
    closeAfterBody(context);
    const target = parseRequestTarget(request);
    if (!target) return toPrepared(errorResult('bad_request'));
    if (!/^(?:100-continue)?$/i.test(request.headers.expect ?? ''))
      return toPrepared(errorResult('expectation_failed'));
    if (request.method === 'OPTIONS') return toPrepared(PREFLIGHT);
    const match = options.matchRoute(target.path);
    const rateLimit = match?.endpoint.rateLimit ?? pages.find(target.path).rateLimit;
    if (target.isMalformed) return refuse(context, rateLimit) ?? toPrepared(errorResult('bad_request'));
    if (match) return serveEndpoint(context, target, match);
    if (target.path === '/api') return toPrepared(pages.apiItself);
    if (!target.path.startsWith('/api/')) return servePage(context, target);
    return toPrepared(errorResult('not_found'));
  }

  /** @returns the answer to a request over its limit, or with another method than GET and HEAD */
  function refuse(context: RequestContext, rateLimit: LimitName | undefined): PreparedResponse | undefined {
    if (rateLimit) {
      const result = options.limiter.consume(rateLimit, LIMITS[rateLimit], context.client);
      context.clientHeaders = rateLimitHeaders(result);
      const seconds = result.resetSeconds;
      if (!result.allowed && context.isPage) return toPrepared(pages.rateLimited(seconds));
      if (!result.allowed) return toPrepared(errorResult('rate_limited', { seconds }));
    }
    return isRead(context.request) ? undefined : toPrepared(errorResult('method_not_allowed'));
  }

  function serveEndpoint(context: RequestContext, target: RequestTarget, match: RouteMatch): Answer {
    const { request, client } = context;
    const { endpoint, read, path, route } = match;
    context.route = route;
    const isExempt = endpoint.rateLimit === 'health' && isLoopback(client);
    const refusal = refuse(context, isExempt ? undefined : endpoint.rateLimit);
    if (refusal) return refusal;
    const { query, keptUntil, answer } = read({
      query: new URLSearchParams(target.query),
      path,
      lastEventId: request.headers['last-event-id'] as string | undefined,
    });
    if (keptUntil === 'notKept') return prepareFor(context, answer(context));
    const question = `${target.path} ${JSON.stringify(query)}`;
    return cache.get(keptUntil, question, request, async () => {
      try {
        return await answer(context.uncancellable);
      } catch (error) {
        // Logged once for all requests that wait for this answer.
        return reportError(context, error);
      }
    });
  }

  function prepareFor(context: RequestContext, result: HttpResult | Promise<HttpResult>): Preparation {
    if (result instanceof Promise) return result.then((settled) => prepareFor(context, settled));
    const madeAt = result.ageMs === undefined ? undefined : cache.now() - result.ageMs;
    return toPreparedIn(encodingFor(context.request, result), result, madeAt);
  }

  function servePage(context: RequestContext, target: RequestTarget): Answer {
    const { request, response } = context;
    const { path, query } = target;
    context.route = 'page';
    context.isPage = isRead(request);
    const { rateLimit, route, parameters, keptUntil } = pages.find(path);
    const isBlocked = BLOCKED_PATH.test(path);
    const page = (): Answer => {
      const refusal = refuse(context, rateLimit);
      if (refusal) return refusal;
      if (isBlocked) return toPrepared(pages.notFound());
      const { 'user-agent': agent = '' } = request.headers;
      if (isPageView(request)) options.onPageView({ ...target, address: context.client, agent });
      context.route = route;
      const given = new URLSearchParams(query);
      const read = new URLSearchParams(
        parameters.flatMap((name) => given.getAll(name).map((value) => [name, value])),
      );
      const url = toUrl(target);
      const until = keptUntil(read);
      if (until === 'notKept') return prepareFor(context, pages.render(url, route, context));
      return cache.get(until, `${path}?${read.toString()}`, request, () =>
        pages.render(url, route, context.uncancellable, 'entries'),
      );
    };
    // Only files have an extension.
    if (isBlocked || !context.isPage || !/\.[a-z0-9]+$/.test(path)) return page();
    response.setHeaders(pages.headers);
    request.url = toUrl(target);
    // sirv fails half-way through a range that ends before it begins.
    delete request.headers.range;
    const observeFile = (): void => {
      for (const observe of responseObservers) observe(context, response.statusCode);
    };
    response.once('finish', observeFile);
    context.route = 'file';
    options.serveStatic(request, response, () => {
      response.removeListener('finish', observeFile);
      context.route = 'page';
      run(context, page);
    });
    return undefined;
  }

  function run(context: RequestContext, work: (context: RequestContext) => Answer): void {
    const fail = (error: unknown): void => sendFailure(context, error);
    try {
      const answer = work(context);
      if (answer instanceof Promise) answer.then((prepared) => send(context, prepared), fail);
      else if (answer) send(context, answer);
    } catch (error) {
      fail(error);
    }
  }

  function sendFailure(context: RequestContext, error: unknown): void {
    const { request, response, route, isPage } = context;
    if (response.headersSent) {
      logFailure(context, error);
      // The client must not take the part for the whole response.
      return void response.destroy();
    }
    const result = isPage ? pages.failed(request.url ?? '', route, error) : reportError(context, error);
    send(context, toPrepared(result));
  }

  function reportError({ route, isAborted }: RequestContext, error: unknown): HttpResult {
    const refused = toErrorResult(error);
    if (refused) return refused;
    const requestId = generateRequestId();
    // A client that disconnected is no failure.
    if (!isAborted) log.error({ err: error, route, requestId }, 'endpoint failed');
    return errorResult('internal', {}, requestId);
  }

  function logFailure({ route }: RequestContext, error: unknown): void {
    log.error({ err: error, route }, 'response failed');
  }
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** No handler reads bodies. */
function closeAfterBody({ request, response }: RequestContext): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding !== undefined || (length !== undefined && length !== '0'))
    response.setHeader('Connection', 'close');
}

/** @returns false for HEAD and for a prefetch */
function isPageView({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET') return false;
  const purposes = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => headers[name]);
  return !/prefetch|prerender|preview/i.test(purposes.join(' '));
}
