/**
 * Requests in the log, for operators who ask for them: `errors` are answers of 500 and above. Nothing in a line names a
 * person: addresses are cut, and what stands behind the path is left out, for it may be a search. A refused request has the
 * code of the refusal, a failed one the number that its client has.
 */
import ipaddr from 'ipaddr.js';
import type { Log } from '../log.ts';
import type { RequestObserver } from './request-context.ts';

const ERRORS_FROM = 500;
const V6_PARTS_KEPT = 3;

export function createRequestLog(log: Log, which: 'none' | 'errors' | 'all'): RequestObserver | undefined {
  if (which === 'none') return undefined;
  return {
    onLookup: () => {},
    onResponse({ request, route, client, askedAt, prepared }, status) {
      if (which === 'errors' && status < ERRORS_FROM) return;
      const ms = Math.round(performance.now() - askedAt);
      const { refusal } = prepared ?? {};
      log.info({ method: request.method, route, status, ...refusal, ms, from: shorten(client) }, 'request');
    },
  };
}

/** IPv4 to its /24, IPv6 (which is known by its /64) to its /48. */
export function shorten(client: string): string {
  if (ipaddr.IPv4.isValid(client)) return `${client.split('.').slice(0, 3).join('.')}.0/24`;
  const parts = client.split(':');
  return parts.length > V6_PARTS_KEPT ? `${parts.slice(0, V6_PARTS_KEPT).join(':')}::/48` : client;
}
