/**
 * The front door: every request passes here, in this order: target (request-target.ts), API or page, rate limit
 * (rate-limit.ts), method, answer (endpoint.ts, shared-cache.ts), conditional request (etag.ts). It knows no noun; what it
 * serves is handed in by src/server.ts.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Log } from '../log.ts';
import { PREFLIGHT_HEADERS } from './api-headers.ts';
import { Waiters } from './waiters.ts';
import type { CacheKeys } from './cache-keys.ts';
import { isLoopback } from './client-address.ts';
import type { ClientAddressOf } from './client-address.ts';
import { COMPRESSED_FROM_BYTES, inForm, VARY } from './content-encoding.ts';
import type { Encoding } from './content-encoding.ts';
import { errorAnswer } from './endpoint.ts';
import type { Answer, Question, StartStream } from './endpoint.ts';
import { isErrorPage } from './error-pages.ts';
import type { ErrorPages } from './error-pages.ts';
import { matchesEtag, strongEtag } from './etag.ts';
import { readPageView } from './page-view.ts';
import type { PageView } from './page-view.ts';
import type { EventStreams } from './event-streams.ts';
import { createBatchedResponses } from './batched-responses.ts';
import type { BatchedResponses } from './batched-responses.ts';
import { PAGE_HEADERS } from './page-headers.ts';
import { PAGES_LIMIT, rateLimitHeaders } from './rate-limit.ts';
import type { RateLimit, RateLimiter } from './rate-limit.ts';
import type { RequestMeter } from './request-meter.ts';
import { renderPage } from './rendered-page.ts';
import type { AstroHandler } from './rendered-page.ts';
import { splitQuery } from '../text/read-query.ts';
import { parseRequestTarget } from './request-target.ts';
import type { RequestTarget } from './request-target.ts';
import type { MatchRoute } from './routes.ts';
import type { Gate } from '../turns/gate.ts';
import { OverloadedError } from '../turns/overloaded-error.ts';
import { endWithClient } from './stream-places.ts';
import type { CacheHit, Produce, SharedCache, StoredForm } from './shared-cache.ts';

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
  /** Value of Link on `/api` itself: where the interface is described. */
  readonly descriptionLink: string;
  /** What the server-sent events under a path are about; undefined for every other path. */
  readonly topicOf: (path: string) => string | undefined;
  readonly events: EventStreams;
  readonly astro: AstroHandler;
  /** Of those who ask for pages that have to be rendered, by their address. */
  readonly pageTurns: Gate;
  readonly errorPages: ErrorPages;
  /** Undefined: nobody wants to know. */
  readonly meter?: RequestMeter | undefined;
  readonly log: Log;
}

/** A request on its way to its answer. */
interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /**
   * Headers of this client, beside the answer's, which may be everybody's: names and values in turn. Handed to
   * writeHead with the others: Node checks and stores what setHeader gets one by one, which costs more than everything
   * else here.
   */
  own: readonly string[];
  /** What it is answered with, once that is known. */
  parting: Parting | undefined;
  /** What was asked for, as the meter names it: the path of an endpoint or a list page, or what kind of thing it was. */
  route: string;
  /** By the meter's clock. */
  readonly begunAt: number;
  readonly post: BatchedResponses<Visit>;
}

interface Parting {
  readonly status: number;
  readonly head: string[];
  readonly body: string | Uint8Array | undefined;
  /** As of `Reply`. */
  readonly release: (() => void) | undefined;
}

const NO_HEADERS: readonly string[] = [];
const SHORT_BYTES = 4_096;
/** What is cheap to make is kept when it is asked for again within this time: else keeping saves less than it costs. */
const CHEAP_WITHIN_MS = 100;
const PACKED_WITHIN_MS = 30_000;
const PAGE_HEADER_LIST = Object.entries(PAGE_HEADERS).flat();
const ignore = (): void => {};

export function createFrontDoor(door: FrontDoor): RequestListener {
  const post = createBatchedResponses<Visit>((visit) => leave(door, visit));
  return (request, response) => {
    response.on('error', ignore); // The client went away; nobody is left to tell.
    const begunAt = door.meter ? door.meter.begin() : 0;
    const visit: Visit = {
      request,
      response,
      own: NO_HEADERS,
      parting: undefined,
      route: 'none',
      begunAt,
      post,
    };
    try {
      closeAfterBody(request, response);
      const target = parseRequestTarget(request);
      if (!target) send(visit, errorAnswer('bad_request'));
      else if (isRead(request) && door.pageParameters[target.path]) serveKnownPage(door, visit, target);
      else if (isApi(door, target.path)) serveApi(door, visit, target);
      else if (isRead(request) && door.topicOf(target.path) !== undefined)
        serveEvents(door, visit, door.topicOf(target.path) ?? '');
      else servePages(door, visit, target);
    } catch (error) {
      fail(door, visit, error);
    }
  };
}

function leave(door: FrontDoor, visit: Visit): void {
  const { request, response, parting } = visit;
  if (!parting || response.headersSent || response.destroyed) return;
  try {
    response.writeHead(parting.status, parting.head);
    if (request.method === 'HEAD') response.end(parting.release);
    else endWith(response, parting);
    door.meter?.end(visit.route, parting.status, visit.begunAt, request);
  } catch (error) {
    visit.parting = undefined;
    fail(door, visit, error);
  }
}

/** A short body leaves in one piece with the head: as text, each character of which is a byte. */
function endWith(response: ServerResponse, { body, release }: Parting): void {
  if (Buffer.isBuffer(body) && body.length <= SHORT_BYTES)
    response.end(body.toString('latin1'), 'latin1', release);
  // Called when the last byte is the operating system's, or will never be sent.
  else response.end(body, release);
}

/** It leaves at the end of this turn. */
function part(visit: Visit, parting: Parting): void {
  visit.parting = parting;
  visit.post(visit);
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

function serveApi(door: FrontDoor, visit: Visit, target: RequestTarget): void {
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
  const type = endpoint.chooseType(request.headers.accept);
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
      door.log.error({ err: error, path: target.path }, 'endpoint failed');
    return read.answer(door.services, report, waiters);
  };
  if (!endpoint.isCacheable || endpoint.madeAnew?.test(target.query))
    return answerUncached(door, visit, produce, endpoint.isCacheable);
  const work = (): string | undefined => {
    const read = parse();
    return 'answer' in read ? `${target.path} ${read.key}` : undefined;
  };
  const key = endpoint.isCheap?.(target.query)
    ? door.keys.findRepeated(request.url ?? '', type, keptWithin(door, request), work)
    : door.keys.find(request.url ?? '', type, work);
  answerFromCache(door, visit, key, produce);
}

function withLink({ descriptionLink }: FrontDoor, path: string, answer: Answer): Answer {
  return path === '/api' ? { ...answer, headers: { ...answer.headers, Link: descriptionLink } } : answer;
}

/** A compressed form costs far more to make than what it is made of. @returns milliseconds */
function keptWithin(door: FrontDoor, request: IncomingMessage): number {
  return door.chooseEncoding(request) === 'identity' ? CHEAP_WITHIN_MS : PACKED_WITHIN_MS;
}

/** @param key undefined: nothing that may be kept, or that is worth it */
function answerFromCache(door: FrontDoor, visit: Visit, key: string | undefined, produce: Produce): void {
  const hit = key === undefined ? undefined : door.cache.find(key, produce);
  door.meter?.looked(hit !== undefined);
  if (hit) return sendHit(door, visit, hit);
  if (key === undefined) return answerUncached(door, visit, produce, true);
  settle(door, visit, door.cache.compute(key, produce, visit.response), true);
}

/** @param looksCached as if the cache could have had it */
function answerUncached(door: FrontDoor, visit: Visit, produce: Produce, looksCached: boolean): void {
  const waiters = new Waiters();
  const answer = produce(waiters);
  // Those that are there at once are most of them, and nobody leaves meanwhile.
  if (answer instanceof Promise) waiters.join(visit.response);
  settle(door, visit, answer, looksCached);
}

function settle(door: FrontDoor, visit: Visit, answer: Answer | Promise<Answer>, looksCached: boolean): void {
  if (!(answer instanceof Promise) && answer.stream) return sendStream(visit, answer, answer.stream);
  // What is awaited may be awaited by others too: a body that is lent to them all is nobody's to give back.
  if (!(answer instanceof Promise)) return send(visit, answer, looksCached, answer.release);
  answer.then(
    (settled) => (settled.form ? sendForm(door, visit, settled) : send(visit, settled, looksCached)),
    (error: unknown) => fail(door, visit, error),
  );
}

/** At once: the place that was there when the answer was made may be another's at the end of this turn. */
function sendStream(
  { request, response, own }: Visit,
  { status, headers }: Answer,
  start: StartStream,
): void {
  response.writeHead(status, [...own, ...Object.entries(headers).flat()]);
  if (request.method === 'HEAD') return void response.end();
  endWithClient(request, response);
  start(response);
}

function serveEvents(door: FrontDoor, visit: Visit, topic: string): void {
  const { request, response } = visit;
  const seconds = takeFromLimit(door, PAGES_LIMIT, visit);
  if (seconds === undefined) door.events.serve(request, response, topic, door.clientAddressOf(request));
  else send(visit, htmlAnswer(429, door.errorPages.rateLimited(seconds)));
}

/** An answer that was made beforehand, in the form that the client takes. */
function sendForm(door: FrontDoor, visit: Visit, answer: Answer): void {
  const encoding = door.chooseEncoding(visit.request);
  if (encoding === 'identity' || !answer.form) return send(visit, answer);
  answer.form(encoding).then(
    (body) => send(visit, body ? { ...answer, headers: inForm(answer.headers, encoding), body } : answer),
    (error: unknown) => fail(door, visit, error),
  );
}

function servePages(door: FrontDoor, visit: Visit, target: RequestTarget): void {
  const { request, response } = visit;
  visit.route = 'page';
  if (request.method === 'OPTIONS') return preflight(response);
  if (!isRead(request)) {
    const seconds = takeFromLimit(door, PAGES_LIMIT, visit);
    const refusal =
      seconds === undefined ? errorAnswer('method_not_allowed') : errorAnswer('rate_limited', { seconds });
    return send(visit, refusal);
  }
  for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
  const hidden = isHidden(target.path);
  const url = encodeTarget(target);
  request.url = url;
  const isCounted = (): boolean => {
    const seconds = takeFromLimit(door, PAGES_LIMIT, visit);
    if (seconds === undefined) return true;
    send(visit, htmlAnswer(429, door.errorPages.rateLimited(seconds)));
    return false;
  };
  const render = (): void => {
    if (hidden) return send(visit, htmlAnswer(404, door.errorPages.notFound()));
    const address = door.clientAddressOf(request);
    const view = readPageView(request, target, address);
    if (view) door.onPageView(view);
    answerUncached(door, visit, (waiters) => answerPage(door, url, waiters, address), false);
  };
  // sirv takes every range for a good one and dies half-way of those that end before they begin.
  delete request.headers.range;
  // Pages count; what they load does not, as long as it is there.
  const page = (): void => {
    if (isCounted()) render();
  };
  if (!hidden && isFile(target.path)) serveFile(door, visit, page);
  else page();
}

/** A page that has no file and whose parameters are known: answered out of the cache without a look at either. */
function serveKnownPage(door: FrontDoor, visit: Visit, target: RequestTarget): void {
  const { request } = visit;
  visit.route = target.path;
  const parameters = door.pageParameters[target.path] ?? [];
  const address = door.clientAddressOf(request);
  const grant = door.limiter.take(PAGES_LIMIT, address);
  visit.own = [...PAGE_HEADER_LIST, ...rateLimitHeaders(grant)];
  if (!grant.allowed) {
    return send(visit, htmlAnswer(429, door.errorPages.rateLimited(grant.resetSeconds)));
  }
  const view = readPageView(request, target, address);
  if (view) door.onPageView(view);
  const key = door.keys.find(
    request.url ?? '',
    '',
    () => `${target.path} ${pickParameters(target.query, parameters)}`,
  );
  answerFromCache(door, visit, key, (waiters) => answerPage(door, encodeTarget(target), waiters, address));
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

/** What is served so does not wait for the batch. */
function serveFile(door: FrontDoor, visit: Visit, next: () => void): void {
  const { request, response, begunAt } = visit;
  const { meter } = door;
  const measure = (): void => meter?.end('file', response.statusCode, begunAt, request);
  if (meter) response.once('finish', measure);
  door.serveStatic(request, response, () => {
    response.removeListener('finish', measure);
    next();
  });
}

/** What a page reads of its query, in one order: what it does not know makes no page of its own. */
function pickParameters(query: string, names: readonly string[]): string {
  const given = new URLSearchParams(query);
  const picked = new URLSearchParams();
  for (const name of names) for (const value of given.getAll(name)) picked.append(name, value);
  return picked.toString();
}

/** @param client by whose turn it is made, whoever else waits for it */
async function answerPage(door: FrontDoor, url: string, waiters: Waiters, client: string): Promise<Answer> {
  waiters.client = client;
  try {
    return await door.pageTurns.enter(client, waiters.signal, () => makePage(door, url, waiters));
  } catch (error) {
    if (error instanceof OverloadedError) return overloadedPage(door, url, error.seconds);
    // Nobody waits for it any more, and nobody reads this.
    if (waiters.isGone) return overloadedPage(door, url, 1);
    throw error;
  }
}

async function makePage(door: FrontDoor, url: string, waiters: Waiters): Promise<Answer> {
  const page = await renderPage(door.astro, url, { services: door.services, waiters });
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

function overloadedPage(door: FrontDoor, url: string, seconds: number): Answer {
  const page = htmlAnswer(503, door.errorPages.overloaded(seconds, url));
  return { ...page, headers: { ...page.headers, 'Retry-After': String(seconds) } };
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
function takeFromLimit(door: FrontDoor, limit: RateLimit, { request, response }: Visit): number | undefined {
  const grant = door.limiter.take(limit, door.clientAddressOf(request));
  const headers = rateLimitHeaders(grant);
  for (let at = 0; at < headers.length; at += 2)
    response.setHeader(headers[at] as string, headers[at + 1] as string);
  return grant.allowed ? undefined : grant.resetSeconds;
}

function isRead(request: IncomingMessage): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}

function preflight(response: ServerResponse): void {
  response.writeHead(204, PREFLIGHT_HEADERS).end();
}

/**
 * @param looksCached whether it is found or made now, an answer of the cache looks the same
 * @param release of the answer, where this client is the only one who gets it
 */
function send(visit: Visit, answer: Answer, looksCached = false, release?: () => void): void {
  if (visit.parting) return;
  const { status, body, headers } = answer;
  const isUnchanged = status === 200 && isKnown(visit, headers.ETag ?? headers.etag);
  const head = [...visit.own];
  for (const name in headers) {
    if (!isUnchanged || isOfUnchanged(name)) head.push(name, headers[name] as string);
  }
  if (looksCached && status === 200) {
    if (headers['Vary'] === undefined) head.push('Vary', VARY);
    head.push('Age', '0');
  }
  if (isUnchanged) return part(visit, { status: 304, head, body: undefined, release });
  head.push('Content-Length', String(Buffer.byteLength(body)));
  part(visit, { status, head, body, release });
}

/** Whether the client has what this tag names (RFC 9110 section 13.1.2). */
function isKnown({ request }: Visit, etag: string | undefined): boolean {
  return etag !== undefined && matchesEtag(request.headers['if-none-match'], etag);
}

/** A 304 has no content, and so no type. */
function isOfUnchanged(name: string): boolean {
  return name.toLowerCase() !== 'content-type';
}

/** An answer of the cache, in the form that the client takes. The limit's headers are the client's own already. */
function sendHit(door: FrontDoor, visit: Visit, hit: CacheHit): void {
  const { plain } = hit.stored;
  const isSmall = plain.body.length < COMPRESSED_FROM_BYTES;
  const encoding = isSmall || isPacked(hit) ? 'identity' : door.chooseEncoding(visit.request);
  if (encoding === 'identity') return sendStored(visit, plain, hit.ageSeconds);
  const form = door.cache.form(hit, encoding);
  if (!(form instanceof Promise)) return sendStored(visit, form, hit.ageSeconds);
  form.then(
    (made) => sendStored(visit, made, hit.ageSeconds),
    (error: unknown) => fail(door, visit, error),
  );
}

function sendStored(visit: Visit, stored: StoredForm, ageSeconds: number): void {
  if (visit.parting) return;
  const { etag, head: common, body, length } = stored;
  const age = String(ageSeconds);
  if (!isKnown(visit, etag)) {
    const head = [...visit.own, ...common, 'Age', age, 'Content-Length', length];
    return part(visit, { status: 200, head, body, release: undefined });
  }
  const head = [...visit.own, 'Age', age];
  for (let at = 0; at < common.length; at += 2) {
    const name = common[at] as string;
    if (isOfUnchanged(name)) head.push(name, common[at + 1] as string);
  }
  part(visit, { status: 304, head, body: undefined, release: undefined });
}

/** Images other than SVG are compressed already. */
function isPacked({ stored }: CacheHit): boolean {
  const type = stored.plain.headers['Content-Type'] ?? '';
  return type.startsWith('image/') && !type.startsWith('image/svg');
}

/** The last resort: something here or in Astro's handler broke. */
function fail(door: FrontDoor, visit: Visit, error: unknown): void {
  const { request, response } = visit;
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  if (response.headersSent) {
    door.log.error({ err: error, path }, 'answer broke off');
    // The client must neither take a part for the whole nor wait for the rest.
    if (!response.writableEnded) response.destroy();
  } else if (isApi(door, path)) {
    door.log.error({ err: error, path }, 'request failed');
    send(visit, errorAnswer('internal'));
  } else {
    send(visit, failedPage(door, path, error));
  }
}
