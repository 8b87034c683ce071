import { performance } from 'node:perf_hooks';
import { escapeMarkup } from '../escape-markup.ts';
import { createFairQueue, type FairQueue, type Requester } from '../queues/fair-queue.ts';
import type { RequestTarget } from './http-server.ts';
import type { LimitName } from './rate-limit.ts';
import {
  CACHE_CONTROL,
  ERRORS,
  errorResult,
  strongEtag,
  type ErrorValues,
  type HttpResult,
  type CacheControlName,
  type CachedUntil,
} from './response.ts';

/** A complete page, which an error page can still replace. */
export interface RenderedPage {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** @param url without headers of the visitor, because pages are shared @returns undefined for an unknown path */
export type RenderPage = (url: string, locals: object) => Promise<RenderedPage | undefined>;

/** Several tabs, or a school that shares an address. */
export const PAGES_PER_CLIENT = 8;
/** Twice the slots of searches (search-pool.ts): a page keeps its slot while it waits for a search. */
const PAGES_MAX = 512;
/** Other requests run for at most this long between two pages. */
const PAUSE_MAX_MS = 5;

/**
 * Rendering uses this thread: one page at a time, with other requests in between. A page that waits for a search
 * thread lets the next one begin.
 */
export function createRenderQueue(now: () => number): FairQueue {
  return createFairQueue({
    concurrency: 1,
    slotsPerClient: PAGES_PER_CLIENT,
    slotsMax: PAGES_MAX,
    now,
    pause: (next) => yieldToEventLoop(next, now),
    turnEndOf: (page) => Promise.race([page, new Promise((resolve) => setImmediate(resolve))]),
  });
}

/**
 * Waits for an iteration of the event loop without new events. The loop accepts one connection per iteration: after one,
 * an address with 300 pages would get all of them before another address gets its first.
 */
function yieldToEventLoop(next: () => void, now: () => number): void {
  const startedAt = now();
  let seen = performance.nodeTiming.uvMetricsInfo.events;
  const check = (): void => {
    const { events } = performance.nodeTiming.uvMetricsInfo;
    if (events === seen || now() - startedAt >= PAUSE_MAX_MS) return next();
    seen = events;
    setImmediate(check);
  };
  setImmediate(check);
}

export interface PageRules {
  readonly rateLimit: LimitName;
  /** For the log and the metrics. */
  readonly route: string;
  /** Other parameters are not part of the cache key. */
  readonly parameters: readonly string[];
  readonly cachedHereUntil: (parameters: URLSearchParams) => CachedUntil;
}

export interface PagesOptions {
  readonly renderPage: (url: string, requester: Requester) => ReturnType<RenderPage>;
  readonly renderQueue: FairQueue;
  readonly fillErrorPage: FillErrorPage;
  readonly pageHeaders: Readonly<Record<string, string>>;
  /** Link of `/api` itself, which is no page. */
  readonly descriptionLink: string;
}

export type Pages = ReturnType<typeof createPages>;

/** Everything outside the API: no inline script or style, no other host, no frame. */
export const PAGE_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Content-Type-Options': 'nosniff',
} as const;

const HTML_TYPE = 'text/html; charset=utf-8';

export function createPages(options: PagesOptions) {
  const { renderPage, renderQueue, fillErrorPage } = options;
  const pageHeaders = Object.entries(options.pageHeaders).flat();

  const errorPage = (code: PageErrorCode, values: ErrorValues = {}): HttpResult => ({
    ...errorResult(code, values),
    contentType: HTML_TYPE,
    headers: code === 'overloaded' ? [...pageHeaders, 'Retry-After', String(values['seconds'])] : pageHeaders,
    body: fillErrorPage(code, values),
  });

  const make = async (url: string, requester: Requester, cacheControl: CacheControlName) => {
    const page = await renderPage(url, requester);
    if (!page) return errorPage('not_found');
    const { status, headers, body } = page;
    // A page renders its own 503.
    if (status >= 500 && status !== 503) throw new Error(`the page answers ${status}`);
    const { 'content-type': type = '', 'cache-control': ownCacheControl, etag: ownEtag, ...rest } = headers;
    const { 'content-length': _, ...others } = rest;
    return {
      status,
      contentType: type === 'text/html' ? HTML_TYPE : type,
      cacheControl: ownCacheControl ?? CACHE_CONTROL[status === 200 ? cacheControl : 'none'],
      etag: ownEtag ?? (status === 200 ? strongEtag(body) : undefined),
      headers: [...pageHeaders, ...Object.entries(others).flat()],
      body,
    };
  };

  const missing = errorResult('not_found');
  return {
    headers: new Map(Object.entries(options.pageHeaders)),
    /** @param cacheControl of a 200 that has none of its own @throws {OverloadedError} */
    render: (url: string, requester: Requester, cacheControl: CacheControlName): Promise<HttpResult> =>
      renderQueue.run(requester, () => make(url, requester, cacheControl)),
    apiNotFound: { ...missing, headers: [...(missing.headers ?? []), 'Link', options.descriptionLink] },
    errorPage,
  };
}

/**
 * Error pages, Astro's own addresses, paths that Astro would decode or normalize again and so take past the rate limit of
 * an endpoint, and compressed variants of files.
 */
export const BLOCKED_PATH =
  /^\/(?:404|429|500|503)(?:\/index)?(?:\.html?)?$|^\/_(?!astro\/)|[%\\]|\/\/|\/\.{1,2}(?:\/|$)|\.(?:br|gz)$/;

/** For Astro, which refuses a malformed query. */
export function toUrl({ path, query }: Omit<RequestTarget, 'isMalformed'>): string {
  const url = encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23');
  return query === '' ? url : `${url}?${new URLSearchParams(query)}`;
}

export const SECONDS_PLACEHOLDER = '__SECONDS__';
export const ADDRESS_PLACEHOLDER = '__ADDRESS__';
export const REQUEST_ID_PLACEHOLDER = '__REQUEST_ID__';
export const ASKED_PLACEHOLDER = '__ASKED__';

/** Each has a page with the name of its status. */
const PAGE_ERRORS = ['not_found', 'rate_limited', 'overloaded', 'internal'] as const;

export type PageErrorCode = (typeof PAGE_ERRORS)[number];

export type FillErrorPage = (code: PageErrorCode, values?: ErrorValues) => string;

/**
 * Rendered at start, to work without the database or Astro; placeholders stand for later values.
 * @throws at start when an error page is missing or empty
 */
export async function makeErrorPages(
  render: (path: string) => Promise<string | undefined>,
): Promise<FillErrorPage> {
  const pages = new Map<string, string>();
  for (const code of PAGE_ERRORS) {
    const path = `/${ERRORS[code].status}`;
    const html = await render(path);
    if (!html) throw new Error(`the error page ${path} cannot be rendered`);
    pages.set(code, html);
  }
  return (code, { seconds, url = '', requestId } = {}) => {
    const asked = new URLSearchParams(url.split('?')[1]).get('search') ?? '';
    const values: Readonly<Record<string, string | undefined>> = {
      [SECONDS_PLACEHOLDER]: String(seconds),
      [ADDRESS_PLACEHOLDER]: escapeMarkup(url),
      [REQUEST_ID_PLACEHOLDER]: requestId,
      [ASKED_PLACEHOLDER]: escapeMarkup(asked),
    };
    // All in one pass: the address of a visitor may contain a placeholder.
    const html = pages.get(code) ?? '';
    return html.replace(/__[A-Z_]+?__/g, (placeholder) => values[placeholder] ?? placeholder);
  };
}
