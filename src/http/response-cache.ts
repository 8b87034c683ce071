/**
 * The shared cache that `s-maxage` and `stale-while-revalidate` speak of (SPEC 4.1): results of endpoints and pages, kept in
 * memory until they are too old. One computation a key, however many clients ask. What depends on the lists carries their
 * revision in its key, so that no answer of the data before is served after.
 */
import { LRUCache } from 'lru-cache';
import { encode, isCompressible, toOwnBuffer } from './content-encoding.ts';
import type { Encoding } from './request-headers.ts';
import type { HttpResult } from './http-result.ts';
import { prepare } from './http-result.ts';
import type { PreparedResponse } from './http-result.ts';

/** The data that an answer depends on: nothing that has a version, the lists, or also the order of the lists by views. */
export type DataDependency = 'none' | 'lists' | 'popularity';

export interface ResponseCache {
  /**
   * Gives what is kept, at once; a stale response is renewed in the background. Otherwise loads it, once for all who ask
   * meanwhile, and keeps it if its Cache-Control allows.
   * @param question begins with a slash; the same for requests that ask the same
   */
  get(
    dependency: DataDependency,
    question: string,
    encoding: Encoding,
    load: Load,
  ): PreparedResponse | Promise<PreparedResponse>;
  readonly bytes: number;
}

export type Load = () => HttpResult | Promise<HttpResult>;

export interface ResponseCacheOptions {
  readonly maxBytes: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Grows whenever an answer about the lists may have become another one. */
  readonly revision: () => number;
  /** Differs with every new order by views. */
  readonly popularity: () => string;
  /** Called for each look into the cache. */
  readonly onLookup?: ((isHit: boolean) => void) | undefined;
}

/** A result with its encodings, each made when the first client asks for it. */
interface Entry {
  readonly result: HttpResult & { readonly body: Buffer };
  readonly forms: Map<Encoding, Form | Promise<Form>>;
  /** When its age was 0, by the clock of the cache. */
  readonly madeAt: number;
  readonly freshMs: number;
  readonly staleMs: number;
}

type Form = Omit<PreparedResponse, 'ageMs'>;

/** A key, headers and bookkeeping take this beside the body. */
const ENTRY_OVERHEAD_BYTES = 1_024;
/** Body and compressed forms together, in bodies. */
const FORMS_SHARE = 1.5;

export function createResponseCache({
  maxBytes,
  now,
  revision,
  popularity,
  onLookup,
}: ResponseCacheOptions): ResponseCache {
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ result }) => Math.ceil(result.body.length * FORMS_SHARE) + ENTRY_OVERHEAD_BYTES,
  });
  const flights = new Map<string, Promise<Entry>>();
  let current = revision();

  const keyOf = (dependency: DataDependency, question: string): string => {
    if (dependency === 'none') return question;
    const latest = revision();
    if (latest !== current) {
      current = latest;
      // What was erased from the lists must not stay in memory until something pushes it out.
      for (const key of [...entries.keys()]) if (!key.startsWith('/')) entries.delete(key);
    }
    return dependency === 'lists' ? `${latest} ${question}` : `${latest} ${popularity()} ${question}`;
  };

  const fetch = (key: string, started: Promise<HttpResult>): Promise<Entry> => {
    const flight = started
      .then((result) => {
        const entry = toEntry(result, now());
        // A failed renewal leaves the stale entry in its place; under an older revision it would only take room.
        const isCurrent = key.startsWith('/') || key.startsWith(`${current} `);
        if (entry.freshMs > 0 && isCurrent) entries.set(key, entry);
        return entry;
      })
      .finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };

  const ageMsOf = ({ result, madeAt }: Entry): number | undefined =>
    result.status === 200 ? now() - madeAt : undefined;

  const respond = (entry: Entry, encoding: Encoding): PreparedResponse | Promise<PreparedResponse> => {
    const form = formOf(entry, encoding);
    const withAge = ({ status, headers, etag, body, stream, refusal }: Form): PreparedResponse => ({
      status,
      headers,
      etag,
      body,
      ageMs: ageMsOf(entry),
      stream,
      refusal,
    });
    return form instanceof Promise ? form.then(withAge) : withAge(form);
  };

  return {
    get(dependency, question, encoding, load) {
      const key = keyOf(dependency, question);
      const entry = entries.get(key);
      const ageMs = entry ? now() - entry.madeAt : Number.POSITIVE_INFINITY;
      const isHit = entry !== undefined && ageMs < entry.freshMs + entry.staleMs;
      onLookup?.(isHit);
      const flight = flights.get(key);
      if (!isHit)
        return (flight ?? fetch(key, Promise.try(load))).then((loaded) => respond(loaded, encoding));
      if (ageMs >= entry.freshMs && !flight) {
        const nextTurn = new Promise<void>((resolve) => setImmediate(resolve));
        fetch(key, nextTurn.then(load)).catch(() => {});
      }
      return respond(entry, encoding);
    },
    get bytes() {
      return entries.calculatedSize;
    },
  };
}

function toEntry(result: HttpResult, now: number): Entry {
  const { status = 200 } = result;
  const own = { ...result, status, body: toOwnBuffer(result.body) };
  const forms = new Map<Encoding, Form>([['identity', prepare(own)]]);
  const { freshMs = 0, staleMs = 0 } = (status === 200 && lifetimeOf(result)) || {};
  return { result: own, forms, madeAt: now - (result.ageMs ?? 0), freshMs, staleMs };
}

function formOf(entry: Entry, wanted: Encoding): Form | Promise<Form> {
  const { result, forms } = entry;
  const known = forms.get(wanted);
  if (known) return known;
  if (wanted === 'identity' || !isCompressible(result)) return forms.get('identity') as Form;
  const form = encode(result, wanted).then((encoded) => prepare(encoded));
  forms.set(wanted, form);
  form.then(
    (made) => forms.set(wanted, made),
    () => forms.delete(wanted),
  );
  return form;
}

/** Undefined when a shared cache may not keep the result. */
function lifetimeOf({
  keptSeconds,
  cache = '',
}: HttpResult): { freshMs: number; staleMs: number } | undefined {
  if (keptSeconds !== undefined) return { freshMs: keptSeconds * 1000, staleMs: 0 };
  const seconds = /\bs-maxage=(\d+)/.exec(cache)?.[1];
  if (seconds === undefined) return undefined;
  const stale = /\bstale-while-revalidate=(\d+)/.exec(cache)?.[1] ?? '0';
  return { freshMs: Number(seconds) * 1000, staleMs: Number(stale) * 1000 };
}
