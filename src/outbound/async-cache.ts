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

export interface AsyncCache<Value> {
  /** @throws the error of `load`, also while it is cached */
  get(key: string, load: () => Promise<Value>): Promise<Value>;
  delete(key: string): void;
}

export function createAsyncCache<Value>({
  ttlMs,
  failureTtlMs,
  keysMax,
  now = () => performance.now(),
}: AsyncCacheOptions): AsyncCache<Value> {
  const entries = new LRUCache<string, { readonly until: number; readonly outcome: Promise<Value> }>({
    max: keysMax,
  });
  const inFlight = new Map<string, Promise<Value>>();

  return {
    async get(key, load) {
      const found = entries.get(key);
      if (found && found.until > now()) return found.outcome;
      const loading = inFlight.get(key);
      if (loading) return loading;
      const outcome = load();
      inFlight.set(key, outcome);
      const settle = (forMs: number) => (): void => {
        inFlight.delete(key);
        // A result without a lifetime must not evict another one.
        if (forMs > 0) entries.set(key, { until: now() + forMs, outcome });
      };
      outcome.then(settle(ttlMs), settle(failureTtlMs));
      return outcome;
    },
    delete: (key) => void entries.delete(key),
  };
}
