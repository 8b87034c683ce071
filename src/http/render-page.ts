/** Pages: as Astro renders them, each in the turn of the client who asks for it, and those of errors. */
import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Log } from '../log.ts';
import { createFairQueue, OverloadedError } from '../turns/fair-queue.ts';
import type { FairQueue, Requester } from '../turns/fair-queue.ts';
import { NO_STORE } from './response-headers.ts';
import type { ErrorPages } from './error-pages.ts';
import { strongEtag } from './http-result.ts';
import type { HeaderList, HttpResult } from './http-result.ts';

/** A whole page of src/astro-entry.ts: complete before the first byte leaves, so that an error page can replace it. */
export interface RenderedPage {
  readonly status: number;
  /** The names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * @param url path and query: a page may be kept for all, so that nothing of one visitor's headers can be in it
 * @returns undefined when no page has this path
 * @throws what the page throws
 */
export type RenderPage = (url: string, locals: object) => Promise<RenderedPage | undefined>;

/** Pages of one address that wait or are being made: some tabs at once, and a school that shares an address. */
export const PAGES_PER_CLIENT = 8;
/** Places of all clients: twice those of searches (search-pool.ts), because a page that waits for a search keeps its place. */
const PAGES_MAX = 512;
/** Between two pages, requests that arrive go first for this long; then there is a page again. */
const PAUSE_MAX_MS = 5;

/**
 * Rendering is work of this one thread: one page at a time, and between two of them everything else that has arrived. A
 * page that waits for something, such as a search in its thread, does not keep others from being made.
 */
export function createRenderQueue(now: () => number): FairQueue {
  return createFairQueue({
    concurrency: 1,
    placesPerClient: PAGES_PER_CLIENT,
    placesMax: PAGES_MAX,
    now,
    pause: (next) => yieldToOthers(next, now),
    turnOf: (page) => Promise.race([page, new Promise((resolve) => setImmediate(resolve))]),
  });
}

/**
 * Until a round of the event loop brings nothing new. One round is not enough: the loop takes in one connection a round,
 * so that an address with 300 pages would have all of them before another address has its first.
 */
function yieldToOthers(next: () => void, now: () => number): void {
  const begun = now();
  let seen = performance.nodeTiming.uvMetricsInfo.events;
  const look = (): void => {
    const { events } = performance.nodeTiming.uvMetricsInfo;
    if (events === seen || now() - begun >= PAUSE_MAX_MS) return next();
    seen = events;
    setImmediate(look);
  };
  setImmediate(look);
}

export interface PagesOptions {
  readonly renderPage: RenderPage;
  /** Handed to pages as Astro.locals.services. */
  readonly services: object;
  readonly renderQueue: FairQueue;
  readonly errorPages: ErrorPages;
  /** Every page has these. */
  readonly pageHeaders: HeaderList;
  readonly log: Log;
}

export interface Pages {
  readonly headers: HeaderList;
  /** A page, or that of an error; never rejects. @param route for the log */
  render(url: string, route: string, requester: Requester): Promise<HttpResult>;
  notFound(): HttpResult;
  rateLimited(seconds: number): HttpResult;
  failed(route: string, error: unknown): HttpResult;
}

const HTML_TYPE = 'text/html; charset=utf-8';
/** Headers of a page that have a field of their own in a result; the length is sent with the body, and a 304 has none. */
const FIELDS: ReadonlySet<string> = new Set(['content-type', 'cache-control', 'etag', 'content-length']);

export function createPages({
  renderPage,
  services,
  renderQueue,
  errorPages,
  pageHeaders,
  log,
}: PagesOptions): Pages {
  const html = (status: number, body: string, headers = pageHeaders): HttpResult => ({
    status,
    contentType: HTML_TYPE,
    cache: NO_STORE,
    headers,
    body,
  });
  const overloaded = (url: string, seconds: number): HttpResult =>
    html(503, errorPages.overloaded(seconds, url), [...pageHeaders, 'Retry-After', String(seconds)]);
  const notFound = (): HttpResult => html(404, errorPages.notFound());
  const failed = (route: string, error: unknown): HttpResult => {
    const incident = randomBytes(4).toString('hex');
    log.error({ err: error, route, incident }, 'page failed');
    return html(500, errorPages.internal(incident));
  };

  const make = async (url: string, requester: Requester): Promise<HttpResult> => {
    const page = await renderPage(url, { services, requester });
    if (!page) return notFound();
    const { status, headers, body } = page;
    // An overloaded page says so itself, and keeps what the visitor asked.
    if (status >= 500 && status !== 503) throw new Error(`the page answers ${status}`);
    const type = headers['content-type'] ?? '';
    const cache = headers['cache-control'];
    const others = Object.entries(headers).filter(([name]) => !FIELDS.has(name));
    return {
      status,
      contentType: type === 'text/html' ? HTML_TYPE : type,
      ...(cache !== undefined && { cache }),
      etag: status === 200 ? (headers['etag'] ?? strongEtag(body)) : headers['etag'],
      headers: [...pageHeaders, ...others.flat()],
      body,
    };
  };

  return {
    headers: pageHeaders,
    async render(url, route, requester) {
      try {
        return await renderQueue.run(requester, () => make(url, requester));
      } catch (error) {
        if (error instanceof OverloadedError) return overloaded(url, error.seconds);
        // The client has gone: this is not read.
        if (requester.signal.aborted) return overloaded(url, 1);
        return failed(route, error);
      }
    },
    notFound,
    rateLimited: (seconds) => html(429, errorPages.rateLimited(seconds)),
    failed,
  };
}
