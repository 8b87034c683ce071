/**
 * Requests an address may make (SPEC section 8): fixed windows of one minute from the first request. What is held is
 * bounded: a flood of addresses drops the oldest windows and nothing else grows.
 */
import { LRUCache } from 'lru-cache';

export interface RateLimit {
  /** Endpoints of one name share one bucket an address. */
  readonly bucket: string;
  /** Requests a window. */
  readonly limit: number;
  /** Requests from this machine are not counted, because its own monitoring asks again and again. */
  readonly sparesLoopback?: true;
}

/** SPEC section 8, row by row. */
export const LISTS_LIMIT: RateLimit = { bucket: 'lists', limit: 1000 };
export const STATUS_LIMIT: RateLimit = { bucket: 'status', limit: 30 };
/** Endpoints beside SPEC have a bucket for each kind, so that they never use up the requests of SPEC's endpoints. */
export const PAGES_LIMIT: RateLimit = { bucket: 'pages', limit: 1000 };
export const VERDICTS_LIMIT: RateLimit = { bucket: 'verdicts', limit: 1000 };
export const CHANGES_LIMIT: RateLimit = { bucket: 'changes', limit: 1000 };
export const SNAPSHOTS_LIMIT: RateLimit = { bucket: 'snapshots', limit: 1000 };
export const FEEDS_LIMIT: RateLimit = { bucket: 'feeds', limit: 1000 };
export const BADGES_LIMIT: RateLimit = { bucket: 'badges', limit: 1000 };
export const HISTORY_LIMIT: RateLimit = { bucket: 'history', limit: 1000 };
export const PICTURES_LIMIT: RateLimit = { bucket: 'pictures', limit: 1000 };
export const AVATARS_LIMIT: RateLimit = { bucket: 'avatars', limit: 1000 };
export const HEALTH_LIMIT: RateLimit = { bucket: 'health', limit: 30, sparesLoopback: true };

export const WINDOW_MS = 60_000;
/** Windows held, over all buckets; 200,000 take some 30 MB. */
export const ADDRESSES_MAX = 200_000;

export interface Grant {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window renews, at least 1. */
  readonly resetSeconds: number;
}

export interface RateLimiter {
  /** Counts one request of this address. */
  take(limit: RateLimit, address: string): Grant;
  /** Windows held in all buckets. */
  size(): number;
}

interface Window {
  readonly startedAt: number;
  count: number;
}

/** @param now milliseconds of a clock that never goes back */
export function createRateLimiter(now: () => number, addressesMax = ADDRESSES_MAX): RateLimiter {
  // Windows are never moved when they are read, so that they stay in the order in which they started.
  const windows = new LRUCache<string, Window>({ max: addressesMax });

  const deleteExpired = (at: number): void => {
    for (const [key, { startedAt }] of windows.rentries() as Generator<[string, Window]>) {
      if (at - startedAt < WINDOW_MS) return;
      windows.delete(key);
    }
  };

  return {
    take({ bucket, limit }, address) {
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
        resetSeconds: Math.max(1, Math.ceil((WINDOW_MS - (at - window.startedAt)) / 1000)),
      };
    },
    size() {
      deleteExpired(now());
      return windows.size;
    },
  };
}

/**
 * The draft's header fields that SPEC section 7 names; the answer belongs to one client, never to a cache.
 * @returns names and values in turn
 */
export function rateLimitHeaders(grant: Grant): string[] {
  const reset = String(grant.resetSeconds);
  const headers = [
    'RateLimit-Limit',
    String(grant.limit),
    'RateLimit-Remaining',
    String(grant.remaining),
    'RateLimit-Reset',
    reset,
  ];
  if (!grant.allowed) headers.push('Retry-After', reset);
  return headers;
}
