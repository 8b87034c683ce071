/**
 * Under which key an answer is kept. Different targets may ask the same (`?limit=30&skip=0` and no query); the key of
 * a target that is asked for again is remembered, in bounded memory.
 */
import { AskedKeys } from './asked-keys.ts';

export interface CacheKeys {
  /**
   * @param target as the client wrote it
   * @param type which of its media types is asked for; '' where there is one
   * @param work makes the key; undefined when the answer may not be kept
   */
  find(target: string, type: string, work: () => string | undefined): string | undefined;
}

/** Targets remembered; long ones (up to 16 kB) are not worth it. */
const TARGETS_MAX = 20_000;
const TARGET_MAX_LENGTH = 300;
/** More seldom ones are worked out each time. */
const REPEATED_WITHIN_MS = 10_000;

/** @param now milliseconds of a clock that never goes back */
export function createCacheKeys(now: () => number): CacheKeys {
  const keys = new Map<string, string>();
  const asked = new AskedKeys();
  return {
    find(raw, type, work) {
      const target = type === '' ? raw : `${type} ${raw}`;
      if (target.length > TARGET_MAX_LENGTH || !asked.isRepeated(target, now(), REPEATED_WITHIN_MS))
        return work();
      const known = keys.get(target);
      if (known !== undefined) return known;
      const key = work();
      if (key !== undefined) {
        if (keys.size >= TARGETS_MAX) keys.clear();
        keys.set(target, key);
      }
      return key;
    },
  };
}
