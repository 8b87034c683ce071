/** Fixed minutes from an address's first request (SPEC section 8). A flood of addresses drops the oldest. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { LIST_HEADER_MAX_LENGTH } from './response.ts';

/** Requests per minute and address; endpoints with the same name share them. */
export const LIMITS = {
  /** SPEC section 8: the lists and the check. */
  lists: 1000,
  /** SPEC section 8: status and donations. */
  status: 30,
  /** Pages and the extensions (SPEC 4.6) never use up the requests of the endpoints above. */
  pages: 1000,
  verdicts: 1000,
  changes: 1000,
  snapshots: 1000,
  feeds: 1000,
  badges: 1000,
  history: 1000,
  pictures: 1000,
  avatars: 1000,
  /** Without requests from loopback, because the machine's own monitoring polls. */
  health: 30,
} as const;

export type LimitName = keyof typeof LIMITS;

const WINDOW_MS = 60_000;
/** About 30 MB, over all buckets. */
export const WINDOWS_MAX = 200_000;

export type RateLimiter = ReturnType<typeof createRateLimiter>;
type RateLimitResult = ReturnType<RateLimiter['consume']>;

interface Window {
  readonly startedAt: number;
  count: number;
}

/** @param now milliseconds of a monotonic clock */
export function createRateLimiter(now: () => number, windowsMax = WINDOWS_MAX) {
  // `peek` keeps the windows in the order of their start.
  const windows = new LRUCache<string, Window>({ max: windowsMax });

  const deleteExpired = (at: number): void => {
    for (const [key, { startedAt }] of windows.rentries() as Generator<[string, Window]>) {
      if (at - startedAt < WINDOW_MS) return;
      windows.delete(key);
    }
  };

  return {
    consume(bucket: string, limit: number, address: string) {
      const at = now();
      const key = `${bucket} ${address}`;
      let window = windows.peek(key);
      if (!window || at - window.startedAt >= WINDOW_MS) {
        deleteExpired(at);
        window = { startedAt: at, count: 0 };
        windows.set(key, window);
      }
      window.count += 1;
      return {
        allowed: window.count <= limit,
        limit,
        remaining: Math.max(0, limit - window.count),
        /** Until the window ends, at least 1. */
        resetSeconds: Math.ceil((WINDOW_MS - (at - window.startedAt)) / 1000),
      };
    },
    size(this: void): number {
      deleteExpired(now());
      return windows.size;
    },
  };
}

/** SPEC section 7. @returns names and values in turn */
export function rateLimitHeaders({ allowed, limit, remaining, resetSeconds }: RateLimitResult): string[] {
  const reset = String(resetSeconds);
  const headers = ['RateLimit-Limit', String(limit), 'RateLimit-Remaining', String(remaining)];
  headers.push('RateLimit-Reset', reset);
  if (!allowed) headers.push('Retry-After', reset);
  return headers;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type ClientAddressOf = (request: IncomingMessage) => string;

/** Remembered values of X-Forwarded-For. */
const FORWARDED_MAX = 20_000;
const FORWARDED_MAX_LENGTH = 100;

/** @param trustedProxies with CIDR ranges @returns a whole IPv4 address, or the /64 of IPv6, of one customer */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddressOf {
  const ranges = trustedProxies.map(parseRange);
  const isTrusted = (address: Address): boolean =>
    ranges.some(([network, bits]) => address.kind() === network.kind() && address.match(network, bits));
  const peers = new WeakMap<Socket, { readonly isTrusted: boolean; readonly client: string }>();

  /** @returns '' without a valid address */
  const clientOf = (forwarded: string): string => {
    let client: Address | undefined;
    const hops = forwarded.slice(-LIST_HEADER_MAX_LENGTH).split(',').reverse();
    // The cut may have gone through the first address.
    if (forwarded.length > LIST_HEADER_MAX_LENGTH) hops.pop();
    for (const hop of hops) {
      const address = parseAddress(hop.trim());
      if (!address) break;
      client = address;
      if (!isTrusted(address)) break;
    }
    return client ? limitKey(client) : '';
  };
  const known = new LRUCache<string, string>({ max: FORWARDED_MAX });

  return ({ socket, headers }) => {
    let peer = peers.get(socket);
    if (!peer) {
      const address = parseAddress(socket.remoteAddress ?? '');
      peer = { isTrusted: address !== undefined && isTrusted(address), client: limitKey(address) };
      peers.set(socket, peer);
    }
    const forwarded = headers['x-forwarded-for'] as string | undefined;
    if (!peer.isTrusted || forwarded === undefined) return peer.client;
    let client = known.get(forwarded);
    if (client === undefined) {
      client = clientOf(forwarded);
      if (forwarded.length <= FORWARDED_MAX_LENGTH) known.set(forwarded, client);
    }
    return client === '' ? peer.client : client;
  };
}

/** @returns undefined for an invalid address; ignores a port and brackets, and turns mapped IPv6 into IPv4 */
function parseAddress(text: string): Address | undefined {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  // No proxy writes IPv4 as "1" or "0x7f.1".
  if (!ipaddr.IPv6.isValid(bare) && !ipaddr.IPv4.isValidFourPartDecimal(bare)) return undefined;
  return ipaddr.process(bare);
}

function parseRange(range: string): [Address, number] {
  const [network, bits] = range.includes('/')
    ? ipaddr.parseCIDR(range)
    : ipaddr.parseCIDR(`${range}/${ipaddr.parse(range).kind() === 'ipv4' ? 32 : 128}`);
  if (!(network instanceof ipaddr.IPv6) || !network.isIPv4MappedAddress()) return [network, bits];
  return [network.toIPv4Address(), bits - 96];
}

function limitKey(address: Address | undefined): string {
  if (!address) return 'unknown';
  if (address.kind() === 'ipv4') return address.toString();
  const parts = (address as ipaddr.IPv6).parts.slice(0, 4);
  return parts.map((part) => part.toString(16)).join(':');
}

/** The rate limit's name for the peer of a connection. */
export function addressKey(remoteAddress = ''): string {
  return limitKey(parseAddress(remoteAddress));
}

const LOOPBACK_V6 = addressKey('::1');

/** @param client a result of createClientAddress */
export function isLoopback(client: string): boolean {
  return client.startsWith('127.') || client === LOOPBACK_V6;
}
