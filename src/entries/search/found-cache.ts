/** Places found in a chunk by reading texts, kept for the next who asks: a chunk's texts never change. */
import { BITMAP_BYTES, countBits, setBit, BITMAP_WORDS, listPlaces } from './grams.ts';

export interface FoundCache {
  /** A copy. */
  get(key: string): Uint32Array | undefined;
  set(key: string, bits: Uint32Array): void;
}

const BYTES_MAX = 16 * 1024 * 1024;
/** What a key and the bookkeeping take. */
const OVERHEAD_BYTES = 200;

/** The least recently used goes first. */
export function createFoundCache(): FoundCache {
  const kept = new Map<string, Uint32Array | Uint16Array>();
  let bytes = 0;
  return {
    get(key) {
      const found = kept.get(key);
      if (!found) return undefined;
      kept.delete(key);
      kept.set(key, found);
      if (found instanceof Uint32Array) return new Uint32Array(found);
      const bits = new Uint32Array(BITMAP_WORDS);
      for (const place of found) setBit(bits, place);
      return bits;
    },
    set(key, bits) {
      const isSparse = countBits(bits) * Uint16Array.BYTES_PER_ELEMENT < BITMAP_BYTES;
      const found = isSparse ? listPlaces(bits) : new Uint32Array(bits);
      kept.set(key, found);
      bytes += found.byteLength + OVERHEAD_BYTES;
      for (const [oldest, { byteLength }] of kept) {
        if (bytes <= BYTES_MAX) return;
        kept.delete(oldest);
        bytes -= byteLength + OVERHEAD_BYTES;
      }
    },
  };
}
