/**
 * Fixed windows of one minute from an address's first request (SPEC section 8). A flood of addresses drops the
 * oldest.
 */
import { LRUCache } from 'lru-cache';

export interface RateLimit {
  /** Limits with the same name share it. */
  readonly bucket: string;
  readonly limit: number;
  /** Requests from loopback do not count, because the machine's own monitoring polls. */
  readonly exemptsLoopback?: true;
}

/** SPEC section 8: the limits of the lists and the check, and of status and donations. */
export const LISTS_LIMIT: RateLimit = { bucket: 'lists', limit: 1000 };
export const STATUS_LIMIT: RateLimit = { bucket: 'status', limit: 30 };
/** Pages and the extensions (SPEC 4.6) never use up the requests of the endpoints above. */
export const PAGES_LIMIT: RateLimit = { bucket: 'pages', limit: 1000 };
export const VERDICTS_LIMIT: RateLimit = { bucket: 'verdicts', limit: 1000 };
export const CHANGES_LIMIT: RateLimit = { bucket: 'changes', limit: 1000 };
export const SNAPSHOTS_LIMIT: RateLimit = { bucket: 'snapshots', limit: 1000 };
export const FEEDS_LIMIT: RateLimit = { bucket: 'feeds', limit: 1000 };
export const BADGES_LIMIT: RateLimit = { bucket: 'badges', limit: 1000 };
export const HISTORY_LIMIT: RateLimit = { bucket: 'history', limit: 1000 };
export const PICTURES_LIMIT: RateLimit = { bucket: 'pictures', limit: 1000 };
export const AVATARS_LIMIT: RateLimit = { bucket: 'avatars', limit: 1000 };
export const HEALTH_LIMIT: RateLimit = { bucket: 'health', limit: 30, exemptsLoopback: true };

const WINDOW_MS = 60_000;
/** About 30 MB, over all buckets. */
export const WINDOWS_MAX = 200_000;

export type RateLimiter = ReturnType<typeof createRateLimiter>;
export type RateLimitResult = ReturnType<RateLimiter['consume']>;

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
    consume({ bucket, limit }: RateLimit, address: string) {
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
    size(): number {
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
