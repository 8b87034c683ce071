/**
 * Under which key an answer is kept. Different targets may ask the same (`?limit=30&skip=0` and no query); the key of
 * a target that is asked for again is remembered, in bounded memory.
 */
import { crc32 } from 'node:zlib';

export interface CacheKeys {
  /**
   * @param target as the client wrote it
   * @param type which of its media types is asked for; '' where there is one
   * @param work makes the key; undefined when the answer may not be kept
   */
  find(target: string, type: string, work: () => string | undefined): string | undefined;
  /**
   * As find, for what is worth keeping only while it is asked for again and again.
   * @param withinMs since it was last asked for. @returns undefined also when that was longer ago
   */
  findRepeated(
    target: string,
    type: string,
    withinMs: number,
    work: () => string | undefined,
  ): string | undefined;
}

/** Keys remembered; those of long targets (up to 16 kB) are not worth it. */
const KEYS_MAX = 20_000;
const TARGET_MAX_LENGTH = 300;
/** Keys of what is asked for more seldom are worked out each time. */
const REMEMBERED_WITHIN_MS = 10_000;
/** Of so many targets it is known when they were last asked for; a later one takes the place of an earlier one. */
const TARGETS = 32_768;

/** @param now milliseconds of a clock that never goes back */
export function createCacheKeys(now: () => number): CacheKeys {
  const keys = new Map<string, string>();
  const hashes = new Uint32Array(TARGETS);
  const times = new Float64Array(TARGETS).fill(Number.NEGATIVE_INFINITY);

  /** Milliseconds since it was last asked for, or one of the same hash: numbers are found faster than new strings. */
  const noteAsked = (target: string): number => {
    const hash = crc32(target);
    const slot = hash % TARGETS;
    const at = now();
    const since = hashes[slot] === hash ? at - (times[slot] as number) : Number.POSITIVE_INFINITY;
    hashes[slot] = hash;
    times[slot] = at;
    return since;
  };

  const remember = (target: string, work: () => string | undefined): string | undefined => {
    const known = keys.get(target);
    if (known !== undefined) return known;
    const key = work();
    if (key !== undefined) {
      if (keys.size >= KEYS_MAX) keys.clear();
      keys.set(target, key);
    }
    return key;
  };

  const findRepeated: CacheKeys['findRepeated'] = (raw, type, withinMs, work) => {
    const target = type === '' ? raw : `${type} ${raw}`;
    const since = noteAsked(target);
    if (since > withinMs) return undefined;
    return since > REMEMBERED_WITHIN_MS || target.length > TARGET_MAX_LENGTH
      ? work()
      : remember(target, work);
  };

  return {
    find(raw, type, work) {
      // What is popular is remembered, and needs no look at when it was asked for.
      const known = keys.get(type === '' ? raw : `${type} ${raw}`);
      return known ?? findRepeated(raw, type, Number.POSITIVE_INFINITY, work);
    },
    findRepeated,
  };
}
