/** The order in which src/entries/name-index.ts finds every piece of every name: all places of a text, by what follows. */

/** Stands around names; no UTF-8 text holds it, and it sorts behind all that do. */
export const SEPARATOR = 0xff;

/** Below this, moving one by one beats splitting. */
const INSERTION_MAX = 12;

/**
 * Whether something can be found at this place: at the separator before a name what stands at its beginning, inside it
 * what begins at a later character.
 */
function isSearched(text: Uint8Array, at: number): boolean {
  return ((text[at] as number) & 0xc0) !== 0x80 && text[at - 1] !== SEPARATOR;
}

/**
 * Sorts the places where something can be found by the bytes that follow, up to the next separator; those that are the
 * same up to there by themselves. So thousands of equal names cost no more than others (multikey quicksort; Bentley and
 * Sedgewick, 1997).
 * @param text UTF-8 between separators; begins and ends with one
 */
export function sortSuffixes(text: Uint8Array): Uint32Array {
  const ends = countPairs(text);
  const places = new Uint32Array(ends[PAIRS] as number);
  for (let at = 0; at < text.length - 1; at++) {
    if (isSearched(text, at)) places[ends[pairAt(text, at)]!++] = at;
  }
  // Each bucket's beginning has moved to its end, which is where the next one began.
  for (let pair = 0, from = 0; pair < PAIRS; pair++) {
    const to = ends[pair] as number;
    const isWhole = (pair & 0xff) === SEPARATOR && pair >>> 8 !== SEPARATOR;
    if (!isWhole) sortPlaces(text, places, from, to, 2);
    from = to;
  }
  return places;
}

/** Different pairs of bytes. */
export const PAIRS = 0x1_0000;

export function pairAt(text: Uint8Array, at: number): number {
  return ((text[at] as number) << 8) | (text[at + 1] ?? 0);
}

/** By pair of bytes: how many places begin with a smaller one; the last is the number of all places. */
export function countPairs(text: Uint8Array): Uint32Array {
  const counts = new Uint32Array(PAIRS + 1);
  for (let at = 0; at < text.length - 1; at++) {
    if (isSearched(text, at)) counts[pairAt(text, at) + 1]!++;
  }
  for (let pair = 0; pair < PAIRS; pair++) counts[pair + 1]! += counts[pair] as number;
  return counts;
}

/** @param depth so many bytes of all these places are the same */
function sortPlaces(text: Uint8Array, places: Uint32Array, from: number, to: number, depth: number): void {
  let low = from;
  while (to - low > INSERTION_MAX) {
    const pivot = middleOfThree(text, places, low, to, depth);
    let smaller = low;
    let larger = to;
    let next = low;
    while (next < larger) {
      const place = places[next] as number;
      const byte = text[place + depth] as number;
      if (byte < pivot) {
        places[next++] = places[smaller] as number;
        places[smaller++] = place;
      } else if (byte > pivot) {
        places[next] = places[--larger] as number;
        places[larger] = place;
      } else {
        next += 1;
      }
    }
    sortPlaces(text, places, low, smaller, depth);
    if (pivot === SEPARATOR) places.subarray(smaller, larger).sort();
    else sortPlaces(text, places, smaller, larger, depth + 1);
    low = larger;
  }
  insertPlaces(text, places, low, to, depth);
}

function middleOfThree(
  text: Uint8Array,
  places: Uint32Array,
  from: number,
  to: number,
  depth: number,
): number {
  const first = text[(places[from] as number) + depth] as number;
  const second = text[(places[(from + to) >>> 1] as number) + depth] as number;
  const third = text[(places[to - 1] as number) + depth] as number;
  return Math.max(Math.min(first, second), Math.min(Math.max(first, second), third));
}

function insertPlaces(text: Uint8Array, places: Uint32Array, from: number, to: number, depth: number): void {
  for (let next = from + 1; next < to; next++) {
    const place = places[next] as number;
    let hole = next;
    for (; hole > from && isBefore(text, place, places[hole - 1] as number, depth); hole--) {
      places[hole] = places[hole - 1] as number;
    }
    places[hole] = place;
  }
}

function isBefore(text: Uint8Array, one: number, other: number, depth: number): boolean {
  for (let at = depth; ; at++) {
    const byte = text[one + at] as number;
    const otherByte = text[other + at] as number;
    if (byte !== otherByte) return byte < otherByte;
    if (byte === SEPARATOR) return one < other;
  }
}
