/** That somebody opened a page: told to whoever wants to count, after the rate limit and before the answer. */
import type { IncomingMessage } from 'node:http';
import type { RequestTarget } from './request-target.ts';

export interface PageView {
  readonly path: string;
  /** As it was sent, without the question mark. */
  readonly query: string;
  /** Address of the client. It is never stored as it is. */
  readonly address: string;
}

/** Programs that name themselves, and those that send no name. Browsers that a program drives are among them. */
const PROGRAM =
  /bot\b|bot[/_-]|crawl|spider|slurp|preview|scan|archive|monitor|uptime|lighthouse|headless|facebookexternalhit|embedly|feed|rss|\bcurl|\bwget|python|\bjava\/|\bgo-http|okhttp|axios|undici|node-fetch|^node$|libwww|httpclient|^-?$/i;

/** Undefined for HEAD, for what a browser fetches ahead, and for known crawlers: nobody has looked at the page. */
export function readPageView(
  request: IncomingMessage,
  { path, query }: RequestTarget,
  address: string,
): PageView | undefined {
  const { headers } = request;
  if (request.method !== 'GET' || PROGRAM.test(headers['user-agent'] ?? '')) return undefined;
  const purpose = [headers['sec-purpose'], headers['purpose'], headers['x-purpose'], headers['x-moz']].join(
    ' ',
  );
  if (/prefetch|prerender|preview/i.test(purpose)) return undefined;
  return { path, query, address };
}
