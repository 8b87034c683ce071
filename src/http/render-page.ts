/** Pages: as Astro renders them, each in the turn of the client who asks for it, and those of errors. */
import { randomBytes } from 'node:crypto';
import type { Log } from '../log.ts';
import type { Asker, Gate } from '../turns/gate.ts';
import { OverloadedError } from '../turns/overloaded-error.ts';
import { NO_STORE } from './cache-policy.ts';
import { compress } from './content-encoding.ts';
import type { ErrorPages } from './error-pages.ts';
import { strongEtag } from './etag.ts';
import { VARY } from './http-result.ts';
import type { HeaderList, HttpResult } from './http-result.ts';
import { pageRequest } from './rendered-page.ts';
import type { RenderPage } from './rendered-page.ts';

export interface PagesOptions {
  readonly renderPage: RenderPage;
  /** Handed to pages as Astro.locals.services. */
  readonly services: object;
  readonly renderQueue: Gate;
  readonly errorPages: ErrorPages;
  /** Of every page. */
  readonly pageHeaders: HeaderList;
  readonly log: Log;
}

export interface Pages {
  readonly headers: HeaderList;
  /** A page, or that of an error; never rejects. @param route for the log */
  render(url: string, route: string, asker: Asker): Promise<HttpResult>;
  notFound(): HttpResult;
  rateLimited(seconds: number): HttpResult;
  failed(route: string, error: unknown): HttpResult;
}

const HTML_TYPE = 'text/html; charset=utf-8';
/** Headers of a page that have a field of their own in a result; the length is sent with the body, and a 304 has none. */
const FIELDS: ReadonlySet<string> = new Set([
  'content-type',
  'cache-control',
  'etag',
  'content-length',
  'vary',
]);

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

  const make = async (url: string, asker: Asker): Promise<HttpResult> => {
    const page = await renderPage(pageRequest(url), { services, asker });
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
      ...(status === 200 && {
        vary: headers['vary'] ?? VARY,
        // The first client gets it compressed too: on a phone that is worth more than the millisecond.
        encode: (encoding) => compress(body, encoding),
      }),
      headers: [...pageHeaders, ...others.flat()],
      body,
    };
  };

  return {
    headers: pageHeaders,
    async render(url, route, asker) {
      try {
        return await renderQueue.enter(asker, () => make(url, asker));
      } catch (error) {
        if (error instanceof OverloadedError) return overloaded(url, error.seconds);
        // The client has gone, and nobody reads this.
        if (asker.signal.aborted) return overloaded(url, 1);
        return failed(route, error);
      }
    },
    notFound,
    rateLimited: (seconds) => html(429, errorPages.rateLimited(seconds)),
    failed,
  };
}
