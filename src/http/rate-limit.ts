/** Fixed minutes from an address's first request (SPEC section 8). A flood of addresses drops the oldest. */
import { LRUCache } from 'lru-cache';

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
