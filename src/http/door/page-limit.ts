import { rateLimitHeaders } from '../rate-limit.ts';
import type { RateLimit } from '../rate-limit.ts';
import type { FrontDoor, Visit } from './visit.ts';

/** @returns seconds to wait when the limit is used up */
export function takeFromPageLimit(
  door: FrontDoor,
  { request, response }: Visit,
  limit: RateLimit,
): number | undefined {
  const grant = door.limiter.take(limit, door.clientAddressOf(request));
  const headers = rateLimitHeaders(grant);
  for (let at = 0; at < headers.length; at += 2)
    response.setHeader(headers[at] as string, headers[at + 1] as string);
  return grant.allowed ? undefined : grant.resetSeconds;
}
