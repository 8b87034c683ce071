/**
 * Under which key an answer is kept. Different targets may ask the same (`?limit=30&skip=0` and no query); the key of
 * a target is worked out once and remembered for the next time, in bounded memory.
 */

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

export function createCacheKeys(): CacheKeys {
  const keys = new Map<string, string>();
  return {
    find(raw, type, work) {
      const target = type === '' ? raw : `${type} ${raw}`;
      const known = keys.get(target);
      if (known !== undefined) return known;
      const key = work();
      if (key !== undefined && target.length <= TARGET_MAX_LENGTH) {
        if (keys.size >= TARGETS_MAX) keys.clear();
        keys.set(target, key);
      }
      return key;
    },
  };
}
