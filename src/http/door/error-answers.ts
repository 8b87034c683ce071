/** Pages of things that went wrong, as answers. */
import { randomBytes } from 'node:crypto';
import type { Answer } from '../endpoint.ts';
import type { FrontDoor } from './visit.ts';

export const HTML_TYPE = 'text/html; charset=utf-8';

export function htmlAnswer(status: number, body: string): Answer {
  return {
    status,
    headers: { 'Content-Type': HTML_TYPE, 'Cache-Control': 'no-store' },
    body,
  };
}

export function overloadedPage(door: FrontDoor, url: string, seconds: number): Answer {
  const page = htmlAnswer(503, door.errorPages.overloaded(seconds, url));
  return { ...page, headers: { ...page.headers, 'Retry-After': String(seconds) } };
}

export function failedPage(door: FrontDoor, route: string, error: unknown): Answer {
  const incident = randomBytes(4).toString('hex');
  door.log.error({ err: error, route, incident }, 'page failed');
  return htmlAnswer(500, door.errorPages.internal(incident));
}
