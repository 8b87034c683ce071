/**
 * The way of a request, in the order of its steps and of this file. `run` is around all of them but the sending: it takes the
 * response, or makes one of its error by `sendFailure` and `toErrorResult`. An error of `write` ends the connection.
 *
 * - `http-server.ts` hands on the requests of a connection one at a time, with Host and target read; `rate-limit.ts` says who asks.
 * - `dispatch` finds the endpoint (`endpoint.ts`), the page or a 404.
 * - `admit` counts the request (`rate-limit.ts`), and refuses one over its limit or with another method.
 * - `turns.run` (`request-turns.ts`) begins the work at once or, in a busy process, when it is the client's turn.
 * - The endpoint's `parseOrThrow` reads the parameters, and its `respond` makes an `HttpResult` with Cache-Control and ETag.
 *   `pages.render` (`render-page.ts`) does the same for a page.
 * - `cache.get` (`response-cache.ts`) answers without `respond` or `pages.render`, or stores what they return.
 * - `prepareEncoded` (`response.ts`), for the cache and for what it does not store, compresses and makes the list of headers.
 * - `enqueue` collects the responses of an iteration of the event loop; `write` adds the client's rate limit and Age, or sends a 304.
 *   It refuses a client that has not read earlier responses (`unread-bytes.ts`).
 * - `observe` counts and logs the request, before its body is sent.
 *
 * Cached answers and answers by ID are synchronous: an asynchronous answer by ID took 1.2 times the processor time.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../log.ts';
import { OverloadedError, type Requester } from '../queues/fair-queue.ts';
import type { MatchRoute, RouteMatch } from './endpoint.ts';
import type { RequestHandler, RequestTarget } from './http-server.ts';
import {
  isLoopback,
  LIMITS,
  rateLimitHeaders,
  type ClientAddressOf,
  type LimitName,
  type RateLimiter,
} from './rate-limit.ts';
import { createRequestTurns } from './request-turns.ts';
import { BLOCKED_PATH, toUrl, type PageErrorCode, type PageRules, type Pages } from './render-page.ts';
import {
  encodingFor,
  errorResult,
  findErrorResult,
  generateRequestId,
  matchesEtag,
  PREFLIGHT,
  prepareResponse,
  prepareEncoded,
  type CachedUntil,
  type ErrorValues,
  type HttpResult,
  type LoggedError,
  type PendingResponse,
  type PendingResult,
  type PreparedResponse,
} from './response.ts';
import type { ResponseCache } from './response-cache.ts';
import { createUnreadBytes } from './unread-bytes.ts';

export interface RequestHandlerOptions {
  readonly matchRoute: MatchRoute;
  readonly services: App.Locals['services'];
  readonly limiter: RateLimiter;
  readonly cache: ResponseCache;
  readonly clientAddressOf: ClientAddressOf;
  readonly pageRules: (path: string) => PageRules;
  readonly pages: Pages;
  /** Called for cached pages too; the address is never stored unchanged. */
  readonly onPageView: (view: RequestTarget & { readonly address: string; readonly agent: string }) => void;
  readonly serveStatic: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  readonly responseObservers: readonly ResponseObserver[];
  readonly log: Log;
  /** Milliseconds of the clock of the cache. */
  readonly now: () => number;
}

/** Called with the status, just before the response is sent. */
export type ResponseObserver = (context: RequestContext, status: number) => void;

/** 500 bytes a second. */
const RECEIVE_MS = 120_000;
const RECEIVE_BYTE_MS = 2;
/** Until slow clients have read some of their responses. */
const UNREAD_RETRY_SECONDS = 10;

const CONTENT_HEADERS: ReadonlySet<string> = new Set(['Content-Type', 'Content-Length']);
const NEVER_ABORTED = new AbortController().signal;

class RequestContext implements Requester {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly client: string;
  readonly askedAt = performance.now();
  /** `admit` sets them: no cache may store the headers of the rate limit. */
  limitHeaders: readonly string[] = [];
  /** A declared path, `page` or `file`: never text from the client. */
  route = 'none';
  isPage = false;
  /** For the log of requests. */
  error: LoggedError | undefined;
  #controller: AbortController | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, client: string) {
    this.request = request;
    this.response = response;
    this.client = client;
  }

  /** Created on demand, because few answers take long. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      const controller = new AbortController();
      const { response } = this;
      response.once('close', () => response.writableFinished || controller.abort());
      if (response.closed) controller.abort();
      this.#controller = controller;
    }
    return this.#controller.signal;
  }

  get isAborted(): boolean {
    return this.#controller?.signal.aborted === true;
  }

  /** For work that goes into the cache, which continues when the client disconnects. */
  get uncancellable(): Requester {
    return { client: this.client, askedAt: this.askedAt, signal: NEVER_ABORTED };
  }
}

export function createRequestHandler(options: RequestHandlerOptions): RequestHandler {
  const { services, cache, pages, responseObservers, log, now } = options;
  const turns = createRequestTurns(() => performance.now());
  const unread = createUnreadBytes();
  /** Not a field of the context, which lives as long as an idle connection. */
  let unsent: { readonly context: RequestContext; readonly prepared: PreparedResponse }[] = [];
  return (request, response, target) => {
    // The client disconnected.
    response.on('error', () => {});
    const context = new RequestContext(request, response, options.clientAddressOf(request));
    run(context, () => dispatch(context, target));
  };

  /** @returns undefined when serveStatic writes the response */
  function dispatch(context: RequestContext, target: RequestTarget | undefined): PendingResponse | undefined {
    const { request } = context;
    if (!target) return prepareResponse(errorResult('bad_request'));
    if (!/^(?:100-continue)?$/i.test(request.headers.expect ?? ''))
      return prepareResponse(errorResult('expectation_failed'));
    if (request.method === 'OPTIONS') return prepareResponse(PREFLIGHT);
    const { path } = target;
    const match = options.matchRoute(path);
    if (target.isMalformed) {
      const { rateLimit } = match?.endpoint ?? options.pageRules(path);
      return admit(context, rateLimit) ?? prepareResponse(errorResult('bad_request'));
    }
    if (match) return serveEndpoint(context, target, match);
    if (path === '/api') return prepareResponse(pages.apiNotFound);
    if (!path.startsWith('/api/')) return servePage(context, target);
    return prepareResponse(errorResult('not_found'));
  }

  /** Counts the request. @returns the answer to one over its limit, or with another method than GET and HEAD */
  function admit(context: RequestContext, rateLimit: LimitName | undefined): PreparedResponse | undefined {
    if (rateLimit) {
      const result = options.limiter.consume(rateLimit, LIMITS[rateLimit], context.client);
      context.limitHeaders = rateLimitHeaders(result);
      const seconds = result.resetSeconds;
      if (!result.allowed) return prepareResponse(errorResultFor(context, 'rate_limited', { seconds }));
    }
    return isRead(context.request) ? undefined : prepareResponse(errorResult('method_not_allowed'));
  }

  function serveEndpoint(context: RequestContext, target: RequestTarget, match: RouteMatch): PendingResponse {
    const { request, client } = context;
    const { endpoint, path, route } = match;
    context.route = route;
    const isExempt = endpoint.rateLimit === 'health' && isLoopback(client);
    const refusal = admit(context, isExempt ? undefined : endpoint.rateLimit);
    if (refusal) return refusal;
    const serve = (): PendingResponse => {
      const lastEventId = request.headers['last-event-id'] as string | undefined;
      const query = endpoint.parseOrThrow({ query: new URLSearchParams(target.query), path, lastEventId });
      return prepareAnswer(context, target.path, query, endpoint.cachedHereUntil(query), (requester) =>
        endpoint.respond(query, services, requester),
      );
    };
    // A stream takes its slot in the same step that has looked for one.
    return endpoint.isStream ? serve() : turns.run(context, serve);
  }

  /** @param query equal for requests with the same meaning */
  function prepareAnswer(
    context: RequestContext,
    path: string,
    query: unknown,
    cachedHereUntil: CachedUntil,
    handle: (requester: Requester) => PendingResult,
  ): PendingResponse {
    if (cachedHereUntil === 'notCached') return prepareUncached(context, handle(context));
    return cache.get(cachedHereUntil, `${path} ${JSON.stringify(query)}`, context.request, async () => {
      try {
        return await handle(context.uncancellable);
      } catch (error) {
        // Logged once for all requests that wait for this answer.
        return toErrorResult(context, error);
      }
    });
  }

  function prepareUncached(context: RequestContext, result: PendingResult): PendingResponse {
    if (result instanceof Promise) return result.then((settled) => prepareUncached(context, settled));
    const madeAt = result.ageMs === undefined ? undefined : now() - result.ageMs;
    return prepareEncoded(encodingFor(context.request, result), result, madeAt);
  }

  function servePage(context: RequestContext, target: RequestTarget): PendingResponse | undefined {
    const { request, response } = context;
    const { path } = target;
    context.route = 'page';
    context.isPage = isRead(request);
    const { rateLimit, route, parameters, cachedHereUntil } = options.pageRules(path);
    const isBlocked = BLOCKED_PATH.test(path);
    const page = (): PendingResponse => {
      const refusal = admit(context, rateLimit);
      if (refusal) return refusal;
      if (isBlocked) return prepareResponse(pages.errorPage('not_found'));
      const { 'user-agent': agent = '' } = request.headers;
      if (isPageView(request)) options.onPageView({ ...target, address: context.client, agent });
      context.route = route;
      const query = new URLSearchParams(target.query);
      const known = new URLSearchParams(
        parameters.flatMap((name) => query.getAll(name).map((value) => [name, value])),
      );
      const until = cachedHereUntil(known);
      const url = (request.url = toUrl(target));
      return turns.run(context, () =>
        prepareAnswer(context, path, known.toString(), until, (requester) =>
          pages.render(url, requester, until === 'notCached' ? 'none' : 'entries'),
        ),
      );
    };
    // Only files have an extension.
    if (isBlocked || !context.isPage || !/\.[a-z0-9]+$/.test(path)) return page();
    response.setHeaders(pages.headers);
    request.url = toUrl(target);
    // sirv fails half-way through a range that ends before it begins.
    delete request.headers.range;
    const observeFile = (): void => observe(context);
    response.once('finish', observeFile);
    context.route = 'file';
    options.serveStatic(request, response, () => {
      response.removeListener('finish', observeFile);
      context.route = 'page';
      run(context, page);
    });
    return undefined;
  }

  function run(context: RequestContext, work: () => PendingResponse | undefined): void {
    const fail = (error: unknown): void => sendFailure(context, error);
    try {
      const response = work();
      if (response instanceof Promise) response.then((prepared) => enqueue(context, prepared), fail);
      else if (response) enqueue(context, response);
    } catch (error) {
      fail(error);
    }
  }

  function sendFailure(context: RequestContext, error: unknown): void {
    if (!context.response.headersSent)
      return enqueue(context, prepareResponse(toErrorResult(context, error)));
    log.error({ err: error, route: context.route }, 'response failed');
    // The client must not take the part for the whole response.
    context.response.destroy();
  }

  function toErrorResult(context: RequestContext, error: unknown): HttpResult {
    const { route, isPage, isAborted } = context;
    const expected = isPage ? undefined : findErrorResult(error);
    if (expected) return expected;
    if (error instanceof OverloadedError)
      return errorResultFor(context, 'overloaded', { seconds: error.retryAfterSeconds });
    const requestId = generateRequestId();
    // A client that disconnected is no failure.
    if (!isAborted) log.error({ err: error, route, requestId }, `${isPage ? 'page' : 'endpoint'} failed`);
    return errorResultFor(context, 'internal', { requestId });
  }

  function errorResultFor({ isPage, request }: RequestContext, code: PageErrorCode, values: ErrorValues) {
    return isPage ? pages.errorPage(code, { ...values, url: request.url ?? '' }) : errorResult(code, values);
  }

  /** Nothing else writes responses, but those of built files and of refused connections. */
  function enqueue(context: RequestContext, prepared: PreparedResponse): void {
    // Another client could take its slot before the end of this iteration.
    if (prepared.stream) return write(context, prepared);
    if (unsent.push({ context, prepared }) === 1) setImmediate(flush);
  }

  /** One write each took 1.4 to 1.6 times the processor time of all responses of an iteration of the event loop together. */
  function flush(): void {
    const batch = unsent;
    unsent = [];
    for (const { context, prepared } of batch) {
      try {
        write(context, prepared);
      } catch (error) {
        context.response.destroy();
        log.error({ err: error, route: context.route }, 'response failed');
      }
    }
  }

  function write(context: RequestContext, prepared: PreparedResponse): void {
    const { request, response, client, limitHeaders } = context;
    if (response.headersSent || response.destroyed) return;
    const { status, headers, etag, body, madeAt, stream, error } = prepared;
    const isUnchanged = status === 200 && etag !== undefined && matchesEtag(request, etag);
    const hasBody = !isUnchanged && request.method !== 'HEAD';
    if (status === 200 && hasBody && !unread.hasRoomFor(client, body.length)) {
      const seconds = UNREAD_RETRY_SECONDS;
      return write(context, prepareResponse(errorResultFor(context, 'overloaded', { seconds })));
    }
    const isOfContent = (at: number): boolean => CONTENT_HEADERS.has(headers[at - (at % 2)] as string);
    const shared = isUnchanged ? headers.filter((_, at) => !isOfContent(at)) : headers;
    const age = madeAt === undefined ? [] : ['Age', String(Math.floor((now() - madeAt) / 1000))];
    response.writeHead(isUnchanged ? 304 : status, [...limitHeaders, ...shared, ...age]);
    context.error = error;
    observe(context);
    if (!hasBody) return void response.end();
    if (stream) {
      // No client reads events over half a connection.
      request.socket.once('end', () => response.end());
      return stream(response);
    }
    response.end(body);
    if (response.writableLength === 0) return;
    unread.add(response, client, body.length);
    // It ends a client that reads a few bytes before each idle time-out.
    const ms = RECEIVE_MS + body.length * RECEIVE_BYTE_MS;
    const deadline = setTimeout(() => response.destroy(), ms).unref();
    response.once('close', () => clearTimeout(deadline));
  }

  function observe(context: RequestContext): void {
    for (const observer of responseObservers) observer(context, context.response.statusCode);
  }
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** @returns false for HEAD and for a prefetch */
function isPageView({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET') return false;
  const purposes = ['sec-purpose', 'purpose'].map((name) => headers[name]);
  return !/prefetch|prerender|preview/i.test(purposes.join(' '));
}
