/** Log lines contain no query, which may be a search, and no whole address. */
import ipaddr from 'ipaddr.js';
import type { Log } from '../log.ts';
import type { ResponseObserver } from './response.ts';

const ERRORS_FROM = 500;
const V6_PARTS_KEPT = 3;

export function createRequestLog(log: Log, which: 'none' | 'errors' | 'all'): ResponseObserver | undefined {
  if (which === 'none') return undefined;
  return ({ request, route, client, askedAt, prepared }, status) => {
    if (which === 'errors' && status < ERRORS_FROM) return;
    const ms = Math.round(performance.now() - askedAt);
    const from = shortenAddress(client);
    log.info({ method: request.method, route, status, ...prepared?.refusal, ms, from }, 'request');
  };
}

/** IPv4 to its /24, IPv6 (a /64) to its /48. */
export function shortenAddress(client: string): string {
  if (ipaddr.IPv4.isValid(client)) return `${client.split('.').slice(0, 3).join('.')}.0/24`;
  const parts = client.split(':');
  return parts.length > V6_PARTS_KEPT ? `${parts.slice(0, V6_PARTS_KEPT).join(':')}::/48` : client;
}
