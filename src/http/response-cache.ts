/**
 * The shared cache for `s-maxage` and `stale-while-revalidate` (SPEC 4.1). The key of an answer about the lists has
 * their revision, so that a change outdates all of them.
 */
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import {
  encodingFor,
  prepareEncoded,
  toUnpooledBuffer,
  type CachedUntil,
  type Encoding,
  type HttpResult,
  type PendingResult,
  type PendingResponse,
} from './response.ts';

export type ResponseCache = ReturnType<typeof createResponseCache>;

type Load = () => PendingResult;

export interface ResponseCacheOptions {
  readonly maxBytes: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Grows with every change of the lists and their orders. */
  readonly revision: () => number;
  readonly onLookup?: ((isHit: boolean) => void) | undefined;
}

type CachedResult = ReturnType<typeof toCachedResult>;

/** Key, headers and bookkeeping. */
const ENTRY_OVERHEAD_BYTES = 1_024;
/** Body and compressed variants, relative to the body. */
const VARIANTS_FACTOR = 1.5;
const SECOND_MS = 1_000;

export function createResponseCache({ maxBytes, now, revision, onLookup }: ResponseCacheOptions) {
  const entries = new LRUCache<string, CachedResult>({
    maxSize: maxBytes,
    sizeCalculation: ({ result }) => Math.ceil(result.body.length * VARIANTS_FACTOR) + ENTRY_OVERHEAD_BYTES,
  });
  const inFlight = new Map<string, Promise<CachedResult>>();
  let current = revision();

  const keyOf = (cachedHereUntil: CachedUntil, url: string): string => {
    if (cachedHereUntil === 'expiry') return url;
    const latest = revision();
    if (latest !== current) {
      current = latest;
      // Erased entries must leave memory at once.
      for (const key of [...entries.keys()]) if (!key.startsWith('/')) entries.delete(key);
    }
    return `${latest} ${url}`;
  };

  const fetch = (key: string, loading: Promise<HttpResult>): Promise<CachedResult> => {
    const fetching = loading
      .then((result) => {
        const entry = toCachedResult(result, now());
        // A failed renewal keeps the stale entry; a result of an older revision only takes up space.
        const isCurrent = key.startsWith('/') || key.startsWith(`${current} `);
        if (entry.freshMs > 0 && isCurrent) entries.set(key, entry);
        return entry;
      })
      .finally(() => inFlight.delete(key));
    inFlight.set(key, fetching);
    return fetching;
  };

  return {
    /**
     * Synchronous for a cached answer; a stale one is renewed in the background. `load` runs once for all requests of a
     * key.
     * @param url normalized: equal for requests with the same meaning
     */
    get(cachedHereUntil: CachedUntil, url: string, request: IncomingMessage, load: Load): PendingResponse {
      const key = keyOf(cachedHereUntil, url);
      const entry = entries.get(key);
      const ageMs = entry ? now() - entry.madeAt : Number.POSITIVE_INFINITY;
      const ttlMs = cachedHereUntil === 'oneSecond' ? SECOND_MS : Number.POSITIVE_INFINITY;
      const isHit = entry !== undefined && ageMs < Math.min(ttlMs, entry.freshMs + entry.staleMs);
      onLookup?.(isHit);
      const fetching = inFlight.get(key);
      if (!isHit)
        return (fetching ?? fetch(key, Promise.try(load))).then((loaded) => variantOf(loaded, request));
      if (ageMs >= entry.freshMs && !fetching) {
        const nextIteration = new Promise<void>((resolve) => setImmediate(resolve));
        fetch(key, nextIteration.then(load)).catch(() => {});
      }
      return variantOf(entry, request);
    },
    get bytes(): number {
      return entries.calculatedSize;
    },
  };
}

function toCachedResult(result: HttpResult, now: number) {
  const { status = 200, ttlSeconds, cacheControl = '', ageMs = 0 } = result;
  const own = { ...result, status, body: toUnpooledBuffer(result.body) };
  const secondsOf = (directive: RegExp): number => Number(directive.exec(cacheControl)?.[1] ?? 0);
  const freshSeconds = ttlSeconds ?? secondsOf(/\bs-maxage=(\d+)/);
  const staleSeconds = ttlSeconds === undefined ? secondsOf(/\bstale-while-revalidate=(\d+)/) : 0;
  return {
    result: own,
    /** Prepared for the first client that accepts it. */
    variants: new Map<Encoding, PendingResponse>(),
    madeAt: now - ageMs,
    freshMs: status === 200 ? freshSeconds * 1000 : 0,
    staleMs: staleSeconds * 1000,
  };
}

function variantOf({ result, variants, madeAt }: CachedResult, request: IncomingMessage): PendingResponse {
  const encoding = encodingFor(request, result);
  const known = variants.get(encoding);
  if (known) return known;
  // Age would say when another visitor asked for the same person.
  const made = prepareEncoded(encoding, result, result.ageMs === undefined ? undefined : madeAt);
  variants.set(encoding, made);
  if (made instanceof Promise)
    made.then(
      (variant) => variants.set(encoding, variant),
      () => variants.delete(encoding),
    );
  return made;
}
