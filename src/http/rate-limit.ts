/**
 * Requests an address may make (SPEC section 8): fixed windows of one minute from the first request. What is held is
 * bounded: a flood of addresses drops the oldest windows and nothing else grows.
 */

export interface RateLimit {
  /** Endpoints of one name share one bucket an address. */
  readonly bucket: string;
  /** Requests a window. */
  readonly limit: number;
  /** Those who ask from this machine are not counted: its own watchers ask again and again. */
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
  readonly bucket: Map<string, Window>;
  readonly address: string;
  /** The one that started after this one, in whatever bucket. */
  next: Window | undefined;
}

/** @param now milliseconds of a clock that never goes back */
export function createRateLimiter(now: () => number, addressesMax = ADDRESSES_MAX): RateLimiter {
  const buckets = new Map<string, Map<string, Window>>();
  // A queue by start. The maps know that order too, but finding a map's first entry means stepping over every hole
  // that deletions left: under a flood, a hundred thousand for each new address.
  let oldest: Window | undefined;
  let newest: Window | undefined;
  let held = 0;

  const dropOldest = (window: Window): void => {
    window.bucket.delete(window.address);
    oldest = window.next;
    // Else a dropped window that the garbage collector has not met yet would keep alive all that came after it.
    window.next = undefined;
    held -= 1;
  };

  const open = (bucket: Map<string, Window>, address: string, startedAt: number): Window => {
    if (oldest && held >= addressesMax) dropOldest(oldest);
    const window: Window = { startedAt, count: 0, bucket, address, next: undefined };
    if (oldest && newest) newest.next = window;
    else oldest = window;
    newest = window;
    bucket.set(address, window);
    held += 1;
    return window;
  };

  return {
    take({ bucket: name, limit }, address) {
      const at = now();
      while (oldest && at - oldest.startedAt >= WINDOW_MS) dropOldest(oldest);
      let bucket = buckets.get(name);
      if (!bucket) buckets.set(name, (bucket = new Map<string, Window>()));
      const window = bucket.get(address) ?? open(bucket, address, at);
      window.count += 1;
      return {
        allowed: window.count <= limit,
        limit,
        remaining: Math.max(0, limit - window.count),
        resetSeconds: Math.max(1, Math.ceil((WINDOW_MS - (at - window.startedAt)) / 1000)),
      };
    },
    size: () => held,
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
