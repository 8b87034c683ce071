/**
 * The front door: every request passes here, in this order: target, API or page, rate limit, method, answer,
 * conditional request. It knows no noun; what it serves is handed in by src/server.ts.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Log } from '../log.ts';
import { PREFLIGHT_HEADERS } from './api-headers.ts';
import { Audience } from './audience.ts';
import type { CacheKeys } from './cache-keys.ts';
import { LISTS_CACHE } from './cache-policy.ts';
import type { ClientAddressOf } from './client-address.ts';
import { COMPRESSED_FROM_BYTES } from './content-encoding.ts';
import type { Encoding } from './content-encoding.ts';
import { errorAnswer } from './endpoint.ts';
import type { Answer, Question } from './endpoint.ts';
import { isErrorPage } from './error-pages.ts';
import type { ErrorPages } from './error-pages.ts';
import { matchesEtag, strongEtag } from './etag.ts';
import { readPageView } from './page-view.ts';
import type { PageView } from './page-view.ts';
import type { EventStreams } from './event-streams.ts';
import { PAGE_HEADERS } from './page-headers.ts';
import { PAGES_LIMIT, rateLimitHeaders } from './rate-limit.ts';
import type { RateLimit, RateLimiter } from './rate-limit.ts';
import { renderPage } from './rendered-page.ts';
import type { AstroHandler } from './rendered-page.ts';
import { parseRequestTarget } from './request-target.ts';
import type { RequestTarget } from './request-target.ts';
import type { MatchRoute } from './routes.ts';
import type { CacheHit, Produce, SharedCache } from './shared-cache.ts';

const HTML_TYPE = 'text/html; charset=utf-8';

export interface FrontDoor {
  readonly matchRoute: MatchRoute;
  /** Handed to endpoints and, as Astro.locals.services, to pages. */
  readonly services: object;
  readonly limiter: RateLimiter;
  readonly cache: SharedCache;
  readonly keys: CacheKeys;
  readonly chooseEncoding: (request: IncomingMessage) => Encoding;
  /** By path of a page, the parameters that it reads. */
  readonly pageParameters: Readonly<Record<string, readonly string[]>>;
  readonly clientAddressOf: ClientAddressOf;
  /** Told of every page that somebody opens, whether it is made now or found in the cache. */
  readonly onPageView: (view: PageView) => void;
  /** Built files of the site; calls next when it has none for the path. */
  readonly serveStatic: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  /** What the server-sent events under a path are about; undefined for every other path. */
  readonly topicOf: (path: string) => string | undefined;
  readonly events: EventStreams;
  readonly astro: AstroHandler;
  readonly errorPages: ErrorPages;
  readonly log: Log;
}

/**
 * Headers of one client, beside the answer's, which may be everybody's. Handed to writeHead with the others: Node checks
 * and stores what setHeader gets one by one, which costs more than everything else here.
 */
const clientHeaders = new WeakMap<ServerResponse, Readonly<Record<string, string>>>();

export function createFrontDoor(door: FrontDoor): RequestListener {
  return (request, response) => {
    response.on('error', () => {}); // The client went away; nobody is left to tell.
    try {
      closeAfterBody(request, response);
      const target = parseRequestTarget(request);
      if (!target) send(request, response, errorAnswer('bad_request'));
      else if (isApi(door, target.path)) serveApi(door, request, response, target);
      else if (isRead(request) && door.topicOf(target.path) !== undefined)
        serveEvents(door, request, response, door.topicOf(target.path) ?? '');
      else servePages(door, request, response, target);
    } catch (error) {
      fail(door, request, response, error);
    }
  };
}

/** Everything under /api, and the endpoints that live elsewhere, such as badges and feeds. */
function isApi(door: FrontDoor, path: string): boolean {
  return path === '/api' || path.startsWith('/api/') || door.matchRoute(path) !== undefined;
}

/** Bodies are never read: a request that brings one gets its answer, and the connection ends. */
function closeAfterBody(request: IncomingMessage, response: ServerResponse): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding !== undefined || (length !== undefined && length !== '0'))
    response.setHeader('Connection', 'close');
}

function serveApi(
  door: FrontDoor,
  request: IncomingMessage,
  response: ServerResponse,
  target: RequestTarget,
): void {
  if (request.method === 'OPTIONS') return preflight(response);
  const match = door.matchRoute(target.path);
  if (!match) return send(request, response, errorAnswer('not_found'));
  const { endpoint } = match;
  if (endpoint.limit) {
    const grant = door.limiter.take(endpoint.limit, door.clientAddressOf(request));
    clientHeaders.set(response, rateLimitHeaders(grant));
    const { allowed, resetSeconds: seconds } = grant;
    if (!allowed) return send(request, response, errorAnswer('rate_limited', { seconds }));
  }
  if (!isRead(request)) return send(request, response, errorAnswer('method_not_allowed'));
  const type = endpoint.chooseType(request.headers.accept);
  // Parsed at most once: a known key needs it only when the answer is not in the cache.
  let parsed: Question | Answer | undefined;
  const parse = (): Question | Answer =>
    (parsed ??= endpoint.read({ query: new URLSearchParams(target.query), path: match.path, type }));
  const produce: Produce = (audience) => {
    const read = parse();
    if (!('answer' in read)) return read;
    const report = (error: unknown): void =>
      door.log.error({ err: error, path: target.path }, 'endpoint failed');
    return read.answer(door.services, report, audience);
  };
  if (!endpoint.isCacheable) return answerUncached(door, request, response, produce);
  const key = door.keys.find(target, type, () => {
    const read = parse();
    return 'answer' in read ? `${target.path} ${read.key}` : undefined;
  });
  answerFromCache(door, request, response, key, produce);
}

/** @param key undefined: nothing that may be kept */
function answerFromCache(
  door: FrontDoor,
  request: IncomingMessage,
  response: ServerResponse,
  key: string | undefined,
  produce: Produce,
): void {
  const hit = key === undefined ? undefined : door.cache.find(key, produce);
  if (hit) return sendHit(door, request, response, hit);
  if (key === undefined) return answerUncached(door, request, response, produce);
  const answer = door.cache.compute(key, produce, response);
  settle(door, request, response, answer instanceof Promise ? answer.then(asMadeNow) : asMadeNow(answer));
}

function answerUncached(
  door: FrontDoor,
  request: IncomingMessage,
  response: ServerResponse,
  produce: Produce,
): void {
  const audience = new Audience();
  audience.join(response);
  settle(door, request, response, produce(audience));
}

/** Whether it is found or made now, the answer looks the same. */
function asMadeNow(answer: Answer): Answer {
  if (answer.status !== 200) return answer;
  return { ...answer, headers: { ...answer.headers, Age: '0', Vary: varyOf(answer) } };
}

/** What is kept may come compressed, and some of it in several media types. */
function varyOf({ headers }: Answer): string {
  return headers['Vary'] ?? 'Accept-Encoding';
}

function settle(
  door: FrontDoor,
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer | Promise<Answer>,
): void {
  if (!(answer instanceof Promise)) return send(request, response, answer);
  answer.then(
    (settled) =>
      settled.form ? sendForm(door, request, response, settled) : send(request, response, settled),
    (error: unknown) => fail(door, request, response, error),
  );
}

function serveEvents(
  door: FrontDoor,
  request: IncomingMessage,
  response: ServerResponse,
  topic: string,
): void {
  const seconds = takeFromLimit(door, PAGES_LIMIT, request, response);
  if (seconds === undefined) door.events.serve(request, response, topic, door.clientAddressOf(request));
  else send(request, response, htmlAnswer(429, door.errorPages.rateLimited(seconds)));
}

/** An answer that was made beforehand, in the form that the client takes. */
function sendForm(door: FrontDoor, request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const encoding = door.chooseEncoding(request);
  if (encoding === 'identity' || !answer.form) return send(request, response, answer);
  answer.form(encoding).then(
    (body) =>
      send(request, response, body ? { ...answer, headers: inForm(answer.headers, encoding), body } : answer),
    (error: unknown) => fail(door, request, response, error),
  );
}

/** Each form is an answer of its own to a strong validator. */
function inForm(headers: Answer['headers'], encoding: Exclude<Encoding, 'identity'>): Record<string, string> {
  const tag = headers['ETag'] === undefined ? 'etag' : 'ETag';
  return { ...headers, [tag]: `${headers[tag]?.slice(0, -1)}-${encoding}"`, 'Content-Encoding': encoding };
}

function servePages(
  door: FrontDoor,
  request: IncomingMessage,
  response: ServerResponse,
  target: RequestTarget,
): void {
  if (request.method === 'OPTIONS') return preflight(response);
  if (!isRead(request)) {
    const seconds = takeFromLimit(door, PAGES_LIMIT, request, response);
    const refusal =
      seconds === undefined ? errorAnswer('method_not_allowed') : errorAnswer('rate_limited', { seconds });
    return send(request, response, refusal);
  }
  const names = door.pageParameters[target.path];
  if (names) return serveKnownPage(door, request, response, target, names);
  for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
  const hidden = isHidden(target.path);
  const url = encodeTarget(target);
  request.url = url;
  const isCounted = (): boolean => {
    const seconds = takeFromLimit(door, PAGES_LIMIT, request, response);
    if (seconds === undefined) return true;
    send(request, response, htmlAnswer(429, door.errorPages.rateLimited(seconds)));
    return false;
  };
  const render = (): void => {
    if (hidden) return send(request, response, htmlAnswer(404, door.errorPages.notFound()));
    const view = readPageView(request, target, door.clientAddressOf(request));
    if (view) door.onPageView(view);
    answerUncached(door, request, response, (audience) => answerPage(door, url, audience));
  };
  // sirv takes every range for a good one and dies half-way of those that end before they begin.
  delete request.headers.range;
  // Pages count, whether rendered now or built beforehand; what they load does not, as long as it is there.
  if (!hidden && isFile(target.path)) {
    door.serveStatic(request, response, () => {
      if (isCounted()) render();
    });
  } else if (isCounted()) {
    if (hidden) render();
    else serveBuiltPage(door, request, response, render);
  }
}

/** A page that has no file and whose parameters are known: answered out of the cache without a look at either. */
function serveKnownPage(
  door: FrontDoor,
  request: IncomingMessage,
  response: ServerResponse,
  target: RequestTarget,
  parameters: readonly string[],
): void {
  const address = door.clientAddressOf(request);
  const grant = door.limiter.take(PAGES_LIMIT, address);
  clientHeaders.set(response, { ...PAGE_HEADERS, ...rateLimitHeaders(grant) });
  if (!grant.allowed) {
    return send(request, response, htmlAnswer(429, door.errorPages.rateLimited(grant.resetSeconds)));
  }
  const view = readPageView(request, target, address);
  if (view) door.onPageView(view);
  const key = door.keys.find(target, '', () => `${target.path} ${pickParameters(target.query, parameters)}`);
  answerFromCache(door, request, response, key, (audience) =>
    answerPage(door, encodeTarget(target), audience),
  );
}

/** Encoded anew: what is left of a malformed query must not make Astro's adapter refuse the page. */
function encodeTarget({ path, query }: RequestTarget): string {
  const url = encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23');
  return query === '' ? url : `${url}?${new URLSearchParams(query)}`;
}

/** What a page loads has an extension; pages have none. */
function isFile(path: string): boolean {
  return /\.[a-z0-9]+$/.test(path);
}

function serveBuiltPage(
  door: FrontDoor,
  request: IncomingMessage,
  response: ServerResponse,
  render: () => void,
): void {
  // Set beforehand: sirv's 304 carries nothing else.
  response.setHeader('Cache-Control', LISTS_CACHE);
  response.setHeader('Vary', 'Accept-Encoding');
  door.serveStatic(request, response, () => {
    response.removeHeader('Cache-Control');
    response.removeHeader('Vary');
    render();
  });
}

/** What a page reads of its query, in one order: what it does not know makes no page of its own. */
function pickParameters(query: string, names: readonly string[]): string {
  const given = new URLSearchParams(query);
  const picked = new URLSearchParams();
  for (const name of names) for (const value of given.getAll(name)) picked.append(name, value);
  return picked.toString();
}

async function answerPage(door: FrontDoor, url: string, audience: Audience): Promise<Answer> {
  const page = await renderPage(door.astro, url, { services: door.services, audience });
  if (!page) return htmlAnswer(404, door.errorPages.notFound());
  // An overloaded page says so itself, and keeps what the visitor asked.
  if (page.status >= 500 && page.status !== 503)
    return failedPage(door, url.split('?', 1)[0] ?? url, undefined);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(page.headers)) {
    // The length is sent with the body, and a 304 has none.
    if (value !== undefined && name !== 'content-length') headers[name] = String(value);
  }
  if (headers['content-type'] === 'text/html') headers['content-type'] = HTML_TYPE;
  if (page.status === 200) headers.etag ??= strongEtag(page.body);
  return { status: page.status, headers, body: page.body };
}

function failedPage(door: FrontDoor, path: string, error: unknown): Answer {
  const incident = randomBytes(4).toString('hex');
  door.log.error({ err: error, path, incident }, 'page failed');
  return htmlAnswer(500, door.errorPages.internal(incident));
}

function htmlAnswer(status: number, body: string): Answer {
  return {
    status,
    headers: { 'Content-Type': HTML_TYPE, 'Cache-Control': 'no-store' },
    body,
  };
}

/**
 * Paths that are never handed on. Astro's own addresses (image endpoint, server islands, actions) are not part of
 * this site; what Astro would decode or normalize once more could reach an endpoint past its rate limit; and compressed
 * files are forms of others, not files of their own.
 */
function isHidden(path: string): boolean {
  return isErrorPage(path) || /^\/_(?!astro\/)|[%\\]|\/\/|\/\.{1,2}(?:\/|$)|\.(?:br|gz)$/.test(path);
}

/** @returns seconds to wait when the limit is used up */
function takeFromLimit(
  door: FrontDoor,
  limit: RateLimit,
  request: IncomingMessage,
  response: ServerResponse,
): number | undefined {
  const grant = door.limiter.take(limit, door.clientAddressOf(request));
  for (const [name, value] of Object.entries(rateLimitHeaders(grant))) response.setHeader(name, value);
  return grant.allowed ? undefined : grant.resetSeconds;
}

function isRead(request: IncomingMessage): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}

function preflight(response: ServerResponse): void {
  response.writeHead(204, PREFLIGHT_HEADERS).end();
}

function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  if (response.headersSent || response.destroyed) return;
  const etag = answer.headers.ETag ?? answer.headers.etag;
  if (answer.status === 200 && etag && matchesEtag(request.headers['if-none-match'], etag)) {
    const { 'Content-Type': _type, 'content-type': _lower, ...headers } = answer.headers;
    response.writeHead(304, { ...clientHeaders.get(response), ...headers }).end();
    return;
  }
  response.writeHead(answer.status, {
    ...clientHeaders.get(response),
    ...answer.headers,
    'Content-Length': String(Buffer.byteLength(answer.body)),
  });
  response.end(request.method === 'HEAD' ? undefined : answer.body);
}

/** An answer of the cache, in the form that the client takes. The limit's headers are the client's own already. */
function sendHit(door: FrontDoor, request: IncomingMessage, response: ServerResponse, hit: CacheHit): void {
  const isSmall = hit.stored.body.length < COMPRESSED_FROM_BYTES;
  const encoding = isSmall || isPacked(hit) ? 'identity' : door.chooseEncoding(request);
  const sent: Record<string, string> = {
    ...hit.stored.answer.headers,
    Age: String(hit.ageSeconds),
    Vary: varyOf(hit.stored.answer),
  };
  if (encoding === 'identity')
    return send(request, response, { status: 200, headers: sent, body: hit.stored.body });
  door.cache.form(hit, encoding).then(
    (body) => send(request, response, { status: 200, headers: inForm(sent, encoding), body }),
    (error: unknown) => fail(door, request, response, error),
  );
}

/** Images other than SVG are compressed already. */
function isPacked({ stored }: CacheHit): boolean {
  const type = stored.answer.headers['Content-Type'] ?? '';
  return type.startsWith('image/') && !type.startsWith('image/svg');
}

/** The last resort: something here or in Astro's handler broke. */
function fail(door: FrontDoor, request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  if (response.headersSent) {
    door.log.error({ err: error, path }, 'answer broke off');
    // The client must neither take a part for the whole nor wait for the rest.
    if (!response.writableEnded) response.destroy();
  } else if (isApi(door, path)) {
    door.log.error({ err: error, path }, 'request failed');
    send(request, response, errorAnswer('internal'));
  } else {
    send(request, response, failedPage(door, path, error));
  }
}
