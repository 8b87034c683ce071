/** A page as Astro renders it, in the turn of the client who asks for it. */
import { compress, VARY } from '../content-encoding.ts';
import type { Answer } from '../endpoint.ts';
import { strongEtag } from '../etag.ts';
import { pageRequest } from '../rendered-page.ts';
import { OverloadedError } from '../../turns/overloaded-error.ts';
import type { Waiters } from '../waiters.ts';
import { failedPage, HTML_TYPE, htmlAnswer, overloadedPage } from './error-answers.ts';
import type { FrontDoor } from './visit.ts';

/**
 * @param route for the log
 * @param client its turn is taken, also where other clients wait for the same page
 */
export async function answerPage(
  door: FrontDoor,
  url: string,
  route: string,
  waiters: Waiters,
  client: string,
): Promise<Answer> {
  waiters.client = client;
  try {
    return await door.pageTurns.enter(waiters, () => makePage(door, url, waiters));
  } catch (error) {
    if (error instanceof OverloadedError) return overloadedPage(door, url, error.seconds);
    // Nobody waits for it any more, and nobody reads this.
    if (waiters.isGone) return overloadedPage(door, url, 1);
    return failedPage(door, route, error);
  }
}

async function makePage(door: FrontDoor, url: string, waiters: Waiters): Promise<Answer> {
  const page = await door.renderPage(pageRequest(url), { services: door.services, waiters });
  if (!page) return htmlAnswer(404, door.errorPages.notFound());
  // An overloaded page says so itself, and keeps what the visitor asked.
  if (page.status >= 500 && page.status !== 503) throw new Error(`the page answers ${page.status}`);
  // The length is sent with the body, and a 304 has none.
  const { 'content-length': _length, ...headers }: Record<string, string> = page.headers;
  if (headers['content-type'] === 'text/html') headers['content-type'] = HTML_TYPE;
  if (page.status !== 200) return { status: page.status, headers, body: page.body };
  headers.etag ??= strongEtag(page.body);
  // Who comes first gets it compressed too: on a phone that is worth more than the millisecond.
  headers.Vary ??= VARY;
  return { status: 200, headers, body: page.body, form: (encoding) => compress(page.body, encoding) };
}
