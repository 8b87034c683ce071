/**
 * The shared cache that `s-maxage` and `stale-while-revalidate` speak of (SPEC 4.1): answers of
 * endpoints and pages, kept in memory until they are too old or the data has a new generation. One computation a key,
 * however many ask; bounded in bytes; what was asked for once cannot push out what is asked for again and again.
 */
import { Waiters } from './waiters.ts';
import type { Listener } from './waiters.ts';
import { compress, inForm, toOwnBuffer, VARY } from './content-encoding.ts';
import type { Encoding } from './content-encoding.ts';
import type { Answer } from './endpoint.ts';

/** What is sent to every client that takes this form, but for `Age` and what is the client's own. */
export interface StoredForm {
  readonly headers: Readonly<Record<string, string>>;
  /** The headers as names and values in turn. */
  readonly head: readonly string[];
  readonly etag: string | undefined;
  readonly body: Buffer;
  /** Content-Length. */
  readonly length: string;
}

/** An answer as it was computed, with what was made of it since. */
export interface StoredAnswer {
  readonly plain: StoredForm;
  /** Compressed forms, each made once, when the first client asks for it. */
  readonly forms: Map<Encoding, StoredForm | Promise<StoredForm>>;
}

export interface CacheHit {
  readonly stored: StoredAnswer;
  readonly ageSeconds: number;
}

/** @param waiters those who wait for it */
export type Produce = (waiters: Waiters) => Answer | Promise<Answer>;

export interface SharedCache {
  /** Undefined when there is nothing that may be sent; a stale hit is renewed in the background. */
  find(key: string, produce: Produce): CacheHit | undefined;
  /**
   * Computes an answer, once for all who ask meanwhile, and keeps it if its Cache-Control allows.
   * @param listener who asks; without one the answer is wanted in any case
   */
  compute(key: string, produce: Produce, listener?: Listener): Answer | Promise<Answer>;
  /** The compressed form of a stored answer; counted against the bound. */
  form(hit: CacheHit, encoding: Exclude<Encoding, 'identity'>): StoredForm | Promise<StoredForm>;
  readonly bytes: number;
}

export interface SharedCacheOptions {
  readonly bytesMax: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Changes when the data has changed: then everything is dropped. */
  readonly generation: () => number;
  /** For keys whose answers can become old by themselves: changes when they have. */
  readonly epochOf?: (key: string) => (() => string) | undefined;
}

interface Flight {
  readonly answer: Promise<Answer>;
  readonly waiters: Waiters;
}

interface Entry extends StoredAnswer {
  readonly key: string;
  readonly epoch: Epoch | undefined;
  /** When its age was 0, by the clock of the cache. */
  readonly madeAt: number;
  readonly freshMs: number;
  readonly staleMs: number;
  /** Asked for again since it was last spared. */
  used: boolean;
  bytes: number;
}

interface Epoch {
  readonly current: () => string;
  readonly value: string;
}

/** Share of the bytes that answers get which were asked for once. */
const PROBATION_SHARE = 0.25;
/** What a key, headers and bookkeeping take beside the body. */
const ENTRY_OVERHEAD_BYTES = 1_024;

export function createSharedCache({
  bytesMax,
  now,
  generation,
  epochOf = () => undefined,
}: SharedCacheOptions): SharedCache {
  const probation = createSegment(bytesMax * PROBATION_SHARE);
  const kept = createSegment(bytesMax * (1 - PROBATION_SHARE));
  const flights = new Map<string, Flight>();
  let current = generation();

  /** Computations begun before are not for the new generation's clients. */
  const dropOldGeneration = (): void => {
    const latest = generation();
    if (latest === current) return;
    current = latest;
    probation.clear();
    kept.clear();
    flights.clear();
  };

  const store = (key: string, answer: Answer, begun: number, epoch: Epoch | undefined): Entry | undefined => {
    const lifetime = answer.status === 200 ? lifetimeOf(answer) : undefined;
    if (!lifetime || begun !== generation()) return undefined;
    const body = toOwnBuffer(answer.body);
    const segment = kept.get(key) ? kept : probation;
    const entry: Entry = {
      key,
      epoch,
      plain: toForm({ ...answer.headers, Vary: answer.headers['Vary'] ?? VARY }, body),
      forms: new Map(),
      madeAt: now() - (answer.ageMs ?? 0),
      ...lifetime,
      used: false,
      bytes: body.length + ENTRY_OVERHEAD_BYTES,
    };
    segment.set(entry);
    return entry;
  };

  const grow = (entry: Entry, bytes: number): void => {
    entry.bytes += bytes;
    for (const segment of [kept, probation]) if (segment.holds(entry)) segment.grow(bytes);
  };

  const formOf = (
    entry: Entry,
    encoding: Exclude<Encoding, 'identity'>,
  ): StoredForm | Promise<StoredForm> => {
    const known = entry.forms.get(encoding);
    if (known) return known;
    const { headers, body } = entry.plain;
    const form = compress(body, encoding).then((packed) => toForm(inForm(headers, encoding), packed));
    entry.forms.set(encoding, form);
    form.then(
      (made) => {
        entry.forms.set(encoding, made);
        grow(entry, made.body.length);
      },
      () => entry.forms.delete(encoding),
    );
    return form;
  };

  const compute = (key: string, produce: Produce, listener?: Listener): Answer | Promise<Answer> => {
    dropOldGeneration();
    const flight = flights.get(key);
    if (flight && !flight.waiters.isGone) {
      if (listener) flight.waiters.join(listener);
      return flight.answer;
    }
    const epochNow = epochOf(key);
    const epoch = epochNow && { current: epochNow, value: epochNow() };
    const begun = current;
    const waiters = listener ? new Waiters() : Waiters.lasting();
    const answer = produce(waiters);
    if (!(answer instanceof Promise)) {
      store(key, answer, begun, epoch);
      return answer;
    }
    const started = answer
      .then((settled): Answer => {
        const entry = store(key, settled, begun, epoch);
        if (!entry || !settled.form) return settled;
        // Those who asked first, and those who find it: one form for all.
        return { ...settled, form: async (encoding) => (await formOf(entry, encoding)).body };
      })
      .finally(() => {
        if (flights.get(key)?.answer === started) flights.delete(key);
      });
    if (listener) waiters.join(listener);
    flights.set(key, { answer: started, waiters });
    return started;
  };

  /** The second question for it: it has shown that it is worth keeping. */
  const promote = (key: string): Entry | undefined => {
    const entry = probation.get(key);
    if (entry) {
      probation.delete(key);
      kept.set(entry);
    }
    return entry;
  };

  const renew = (key: string, produce: Produce): void => {
    const flight = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      flights.delete(key);
      return compute(key, produce);
    });
    flights.set(key, { answer: flight, waiters: Waiters.lasting() });
    // A failed renewal leaves the stale answer in its place.
    flight.catch(() => flights.delete(key));
  };

  return {
    compute,
    find(key, produce) {
      dropOldGeneration();
      const entry = kept.get(key) ?? promote(key);
      if (!entry || (entry.epoch && entry.epoch.current() !== entry.epoch.value)) return undefined;
      const ageMs = now() - entry.madeAt;
      if (ageMs >= entry.freshMs + entry.staleMs) return undefined;
      if (ageMs >= entry.freshMs && !flights.has(key)) renew(key, produce);
      return { stored: entry, ageSeconds: Math.floor(ageMs / 1000) };
    },
    form: ({ stored }, encoding) => formOf(stored as Entry, encoding),
    get bytes() {
      return probation.bytes() + kept.bytes();
    },
  };
}

function toForm(headers: Readonly<Record<string, string>>, body: Buffer): StoredForm {
  return {
    headers,
    head: Object.entries(headers).flat(),
    etag: headers.ETag ?? headers.etag,
    body,
    length: String(body.length),
  };
}

interface Segment {
  /** Counts as asked for again. */
  get(key: string): Entry | undefined;
  holds(entry: Entry): boolean;
  set(entry: Entry): void;
  delete(key: string): void;
  clear(): void;
  grow(bytes: number): void;
  bytes(): number;
}

/** Drops the oldest first, but spares what was asked for since (second chance): no reordering on a hit. */
function createSegment(bytesMax: number): Segment {
  const entries = new Map<string, Entry>();
  let bytes = 0;

  const remove = (key: string): void => {
    const entry = entries.get(key);
    if (!entry) return;
    entries.delete(key);
    bytes -= entry.bytes;
  };

  const evict = (): void => {
    for (const entry of entries.values()) {
      if (bytes <= bytesMax) return;
      entries.delete(entry.key);
      if (entry.used) {
        entry.used = false;
        entries.set(entry.key, entry);
      } else {
        bytes -= entry.bytes;
      }
    }
  };

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry) entry.used = true;
      return entry;
    },
    holds: (entry) => entries.get(entry.key) === entry,
    set(entry) {
      remove(entry.key);
      if (entry.bytes > bytesMax) return;
      entries.set(entry.key, entry);
      bytes += entry.bytes;
      evict();
    },
    delete: remove,
    clear() {
      entries.clear();
      bytes = 0;
    },
    grow(more) {
      bytes += more;
      evict();
    },
    bytes: () => bytes,
  };
}

function lifetimeOf({ keptSeconds, headers }: Answer): { freshMs: number; staleMs: number } | undefined {
  if (keptSeconds !== undefined) return { freshMs: keptSeconds * 1000, staleMs: 0 };
  return readLifetime(headers['Cache-Control'] ?? headers['cache-control']);
}

/** Undefined when a shared cache may not keep the answer. */
function readLifetime(cacheControl: string | undefined): { freshMs: number; staleMs: number } | undefined {
  const seconds = /\bs-maxage=(\d+)/.exec(cacheControl ?? '')?.[1];
  if (seconds === undefined) return undefined;
  const stale = /\bstale-while-revalidate=(\d+)/.exec(cacheControl ?? '')?.[1] ?? '0';
  return { freshMs: Number(seconds) * 1000, staleMs: Number(stale) * 1000 };
}
