/**
 * Caches results of outgoing calls: one call per key at a time. Failures are cached for a shorter while, so that
 * requests for missing things cost the other service little.
 */
import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';

export interface AsyncCacheOptions {
  readonly ttlMs: number;
  readonly failureTtlMs: number;
  readonly keysMax: number;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

export function createAsyncCache<Value>({
  ttlMs,
  failureTtlMs,
  keysMax,
  now = () => performance.now(),
}: AsyncCacheOptions) {
  const entries = new LRUCache<string, { until: number; readonly outcome: Promise<Value> }>({ max: keysMax });
  return {
    /** @throws the error of `load`, also while it is cached */
    async get(key: string, load: () => Promise<Value>): Promise<Value> {
      const found = entries.get(key);
      if (found && found.until > now()) return found.outcome;
      const entry = { until: Number.POSITIVE_INFINITY, outcome: load() };
      entries.set(key, entry);
      const settle = (forMs: number) => (): void => {
        entry.until = now() + forMs;
        // A result without a lifetime must not evict another one.
        if (forMs === 0) entries.delete(key);
      };
      entry.outcome.then(settle(ttlMs), settle(failureTtlMs));
      return entry.outcome;
    },
    delete: (key: string) => void entries.delete(key),
  };
}
