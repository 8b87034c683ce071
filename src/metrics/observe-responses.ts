/** Observers of responses: labels are declared routes, and log lines contain no query, which may be a search. */
import ipaddr from 'ipaddr.js';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { ResponseObserver } from '../http/request-handler.ts';
import type { Log } from '../log.ts';

/** Upper bounds in seconds, from a cached answer to a search that waited. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function createRequestMetrics(registry: Registry) {
  const registers = [registry];
  const requests = new Counter({
    name: 'czujka_requests_total',
    help: 'Requests that were answered, by route and status.',
    labelNames: ['route', 'status'],
    registers,
  });
  const lookups = new Counter({
    name: 'czujka_cache_looks_total',
    help: 'Looks into the shared cache, by what they found.',
    labelNames: ['found'],
    registers,
  });
  const times = new Histogram({
    name: 'czujka_request_seconds',
    help: 'From the head of a request to the head of its answer, by route.',
    labelNames: ['route'],
    buckets: BUCKETS,
    registers,
  });
  const hits = lookups.labels({ found: 'hit' });
  const misses = lookups.labels({ found: 'miss' });
  return {
    onLookup: (isHit: boolean): void => (isHit ? hits : misses).inc(),
    onResponse: (({ route, askedAt }, status) => {
      requests.inc({ route, status });
      times.observe({ route }, (performance.now() - askedAt) / 1_000);
    }) satisfies ResponseObserver,
  };
}

const ERRORS_FROM = 500;
const V6_PARTS_KEPT = 3;

export function createRequestLog(log: Log, which: 'none' | 'errors' | 'all'): ResponseObserver | undefined {
  if (which === 'none') return undefined;
  return ({ request, route, client, askedAt, error }, status) => {
    if (which === 'errors' && status < ERRORS_FROM) return;
    const ms = Math.round(performance.now() - askedAt);
    const from = shortenAddress(client);
    log.info({ method: request.method, route, status, ...error, ms, from }, 'request');
  };
}

/** IPv4 to its /24, IPv6 (a /64) to its /48. */
export function shortenAddress(client: string): string {
  if (ipaddr.IPv4.isValid(client)) return `${client.split('.').slice(0, 3).join('.')}.0/24`;
  const parts = client.split(':');
  return parts.length > V6_PARTS_KEPT ? `${parts.slice(0, V6_PARTS_KEPT).join(':')}::/48` : client;
}
