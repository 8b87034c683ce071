/**
 * Requests an address may make (SPEC section 8): fixed windows of one minute from the first request. Held in a
 * bounded map in order of the windows' starts, so that a flood of addresses drops the oldest windows and nothing
 * else grows.
 */

export interface RateLimit {
  /** Endpoints of one name share one bucket an address. */
  readonly bucket: string;
  /** Requests a window. */
  readonly limit: number;
}

/** SPEC section 8, row by row; pages have a bucket of their own (DESIGN section 3). */
export const LISTS_LIMIT: RateLimit = { bucket: 'lists', limit: 1000 };
export const STATUS_LIMIT: RateLimit = { bucket: 'status', limit: 30 };
export const PAGES_LIMIT: RateLimit = { bucket: 'pages', limit: 1000 };

export const WINDOW_MS = 60_000;
/** Addresses held in each bucket; 200,000 take some 25 MB. */
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
  /** Addresses held in all buckets. */
  size(): number;
}

interface Window {
  startedAt: number;
  count: number;
}

/** @param now milliseconds of a clock that never goes back */
export function createRateLimiter(now: () => number, addressesMax = ADDRESSES_MAX): RateLimiter {
  const buckets = new Map<string, Map<string, Window>>();

  const dropEnded = (windows: Map<string, Window>, at: number): void => {
    for (const [address, window] of windows) {
      if (at - window.startedAt < WINDOW_MS && windows.size < addressesMax) return;
      windows.delete(address);
    }
  };

  return {
    take({ bucket, limit }, address) {
      let windows = buckets.get(bucket);
      if (!windows) buckets.set(bucket, (windows = new Map()));
      const at = now();
      let window = windows.get(address);
      if (!window || at - window.startedAt >= WINDOW_MS) {
        // Deleted first, so that the map stays in order of the windows' starts.
        if (window) windows.delete(address);
        dropEnded(windows, at);
        windows.set(address, (window = { startedAt: at, count: 0 }));
      }
      window.count += 1;
      return {
        allowed: window.count <= limit,
        limit,
        remaining: Math.max(0, limit - window.count),
        resetSeconds: Math.max(1, Math.ceil((window.startedAt + WINDOW_MS - at) / 1000)),
      };
    },
    size: () => [...buckets.values()].reduce((sum, windows) => sum + windows.size, 0),
  };
}

/** The draft's header fields that SPEC section 7 names; the answer belongs to one client, never to a cache. */
export function rateLimitHeaders(grant: Grant): Record<string, string> {
  const headers: Record<string, string> = {
    'RateLimit-Limit': String(grant.limit),
    'RateLimit-Remaining': String(grant.remaining),
    'RateLimit-Reset': String(grant.resetSeconds),
  };
  if (!grant.allowed) headers['Retry-After'] = String(grant.resetSeconds);
  return headers;
}
