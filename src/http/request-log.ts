/**
 * Requests in the log, for operators who ask for them: `errors` are answers of 500 and above. Nothing in a line names a
 * person: addresses are cut, and what stands behind the path is left out, for it may be a search.
 */
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { Log } from '../log.ts';
import type { ClientAddressOf } from './client-address.ts';
import type { RequestMeter } from './request-meter.ts';

const ERRORS_FROM = 500;
const V6_PARTS_KEPT = 3;

export function createRequestLog(
  log: Log,
  which: 'none' | 'errors' | 'all',
  clientAddressOf: ClientAddressOf,
): RequestMeter | undefined {
  if (which === 'none') return undefined;
  return {
    begin: () => performance.now(),
    looked: () => {},
    end(route, status, begunAt, request: IncomingMessage) {
      if (which === 'errors' && status < ERRORS_FROM) return;
      const ms = Math.round(performance.now() - begunAt);
      log.info(
        { method: request.method, route, status, ms, from: shorten(clientAddressOf(request)) },
        'request',
      );
    },
  };
}

/** IPv4 to its /24, IPv6 (which the front door knows by /64) to its /48. */
export function shorten(client: string): string {
  if (ipaddr.IPv4.isValid(client)) return `${client.split('.').slice(0, 3).join('.')}.0/24`;
  const parts = client.split(':');
  return parts.length > V6_PARTS_KEPT ? `${parts.slice(0, V6_PARTS_KEPT).join(':')}::/48` : client;
}
