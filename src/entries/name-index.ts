/**
 * Finds names by any piece of them, in microseconds whatever their number (SPEC 4.2). Held in a few buffers: the folded
 * names one after another, each list's in the order of its views, and every place in them sorted by what follows
 * (a suffix array). All names that hold a piece then stand in one range, and the smallest places of the range are the
 * most viewed names.
 */
import { SEPARATOR, sortSuffixes } from './sort-suffixes.ts';

/** What the index is made of. */
export interface NameTable {
  /** A separator, then every name in UTF-8 and a separator: list by list, in each the most viewed first. */
  readonly text: Uint8Array;
  /** Row numbers of the entries, in the order of the names. */
  readonly rows: Uint32Array;
  /** Where the separator before the first name of the next list stands. */
  readonly listEnds: readonly number[];
}

/** What src/entries/name-index-file.ts stores; all but the table follows from it. */
export interface NameIndexParts extends NameTable {
  /** Made by sortSuffixes. */
  readonly places: Uint32Array;
  /** For every RANK_STEP bytes of the text: how many names have begun before. */
  readonly ranks: Uint32Array;
  /** For every BLOCK places and every list: the smallest place. */
  readonly minima: Uint32Array;
  /** For every BLOCK places: the first bytes of what follows at the first, close together in memory unlike the text. */
  readonly fences: Uint32Array;
}

/** How a name holds the piece: 1 equals it, 2 begins with it, 3 holds it elsewhere. */
export type NameMatch = 1 | 2 | 3;

export interface NamedRow {
  readonly row: number;
  readonly match: NameMatch;
}

export interface NameIndex {
  /**
   * The best of each list: equal names, then those that begin with the piece, then the others, the most viewed first.
   * @param folded made by foldText, not empty
   * @param perList how many of a list at most
   * @param isStale rows that are left out, because they are not what they were
   */
  find(folded: string, perList: number, isStale: (row: number) => boolean): NamedRow[][];
}

/** Of so many places that stand together it is known which is the smallest, and what follows at the first. */
const BLOCK = 64;
/** A name's number is found by counting separators from the last multiple of this. */
const RANK_STEP = 64;
const FENCE_BYTES = 8;
const NONE = 0xffff_ffff;

/** Takes seconds for a million names. */
export function makeNameIndexParts(table: NameTable): NameIndexParts {
  const places = sortSuffixes(table.text);
  return {
    ...table,
    places,
    ranks: countNames(table.text),
    minima: findMinima(places, table.listEnds),
    fences: readFences(table.text, places),
  };
}

/** The index over parts that are there already; takes a millisecond. */
export function createNameIndex(parts: NameIndexParts): NameIndex {
  const finder = new Finder(parts);
  return { find: (folded, perList, isStale) => finder.find(Buffer.from(folded), perList, isStale) };
}

function countNames(text: Uint8Array): Uint32Array {
  const ranks = new Uint32Array(Math.ceil(text.length / RANK_STEP));
  let names = 0;
  for (let at = 0; at < text.length; at++) {
    if (at % RANK_STEP === 0) ranks[at / RANK_STEP] = names;
    if (text[at] === SEPARATOR) names += 1;
  }
  return ranks;
}

function findMinima(places: Uint32Array, listEnds: readonly number[]): Uint32Array {
  const lists = listEnds.length;
  const minima = new Uint32Array(Math.ceil(places.length / BLOCK) * lists).fill(NONE);
  for (let index = 0; index < places.length; index++) {
    const place = places[index] as number;
    const slot = Math.floor(index / BLOCK) * lists + listOf(listEnds, place);
    if (place < (minima[slot] as number)) minima[slot] = place;
  }
  return minima;
}

function readFences(text: Uint8Array, places: Uint32Array): Uint32Array {
  const fences = new Uint32Array(Math.ceil(places.length / BLOCK) * 2);
  for (let block = 0; block * BLOCK < places.length; block++) {
    const place = places[block * BLOCK] as number;
    // Beyond a separator nothing counts.
    const end = text.indexOf(SEPARATOR, place + 1) + 1;
    const bytes = text.subarray(place, Math.min(end, place + FENCE_BYTES));
    fences[2 * block] = fenceWord(bytes, 0, 0);
    fences[2 * block + 1] = fenceWord(bytes, 4, 0);
  }
  return fences;
}

/** For every two bytes, and one more: the first block whose fence is not smaller. */
function findFirstBlocks(fences: Uint32Array): Uint32Array {
  const firstBlocks = new Uint32Array(0x1_0001);
  const blocks = fences.length / 2;
  let pair = 0;
  for (let block = 0; block < blocks; block++) {
    const high = (fences[2 * block] as number) >>> 16;
    while (pair <= high) firstBlocks[pair++] = block;
  }
  return firstBlocks.fill(blocks, pair);
}

/** Four bytes as a number that compares as they do. */
function fenceWord(bytes: Uint8Array, from: number, padding: number): number {
  let word = 0;
  for (let at = from; at < from + 4; at++) word = word * 0x100 + (bytes[at] ?? padding);
  return word;
}

function listOf(listEnds: readonly number[], place: number): number {
  let list = 0;
  while (list < listEnds.length - 1 && place >= (listEnds[list] as number)) list += 1;
  return list;
}

class Finder {
  readonly #text: Uint8Array;
  readonly #places: Uint32Array;
  readonly #rows: Uint32Array;
  readonly #listEnds: readonly number[];
  readonly #ranks: Uint32Array;
  readonly #minima: Uint32Array;
  readonly #fences: Uint32Array;
  /** By the first two bytes of what is looked for: the first block whose fence is not smaller. */
  readonly #firstBlocks: Uint32Array;

  constructor(parts: NameIndexParts) {
    this.#text = parts.text;
    this.#places = parts.places;
    this.#rows = parts.rows;
    this.#listEnds = parts.listEnds;
    this.#ranks = parts.ranks;
    this.#minima = parts.minima;
    this.#fences = parts.fences;
    this.#firstBlocks = findFirstBlocks(parts.fences);
  }

  find(piece: Uint8Array, perList: number, isStale: (row: number) => boolean): NamedRow[][] {
    const best = new Best(this.#listEnds.length, perList);
    const look = { piece, best, isStale };
    const begins = this.#rangeOf(Buffer.concat([SEPARATOR_BYTES, piece]));
    if (begins.from < begins.to) {
      const equalsFrom = this.#firstEnding(begins, piece.length + 1);
      this.#offerRange(look, { from: equalsFrom, to: begins.to }, 1);
      this.#offerRange(look, { from: begins.from, to: equalsFrom }, 2);
    }
    this.#offerRange(look, this.#rangeOf(piece), 3);
    return best.toRows();
  }

  /** Of most blocks it is enough to know that nothing in them is small enough. */
  #offerRange(look: Look, { from, to }: Range, match: NameMatch): void {
    const { limits } = look.best;
    look.best.setLimits(match);
    const lists = limits.length;
    let index = from;
    while (index < to) {
      const block = Math.floor(index / BLOCK);
      const end = Math.min(to, (block + 1) * BLOCK);
      let isWorthIt = end - index < BLOCK;
      for (let list = 0; list < lists && !isWorthIt; list++) {
        isWorthIt = (this.#minima[block * lists + list] as number) < (limits[list] as number);
      }
      for (; isWorthIt && index < end; index++) {
        const place = this.#places[index] as number;
        const list = listOf(this.#listEnds, place);
        if (place < (limits[list] as number)) this.#offer(look, list, place, match);
      }
      index = end;
    }
  }

  #offer({ piece, best, isStale }: Look, list: number, place: number, match: NameMatch): void {
    const start = this.#startOf(place);
    if (best.has(list, match, start) || this.#matchOf(start, piece) !== match) return;
    const row = this.#rows[this.#rankOf(start)] as number;
    if (!isStale(row)) best.take(list, match, start, row);
  }

  /** The separator before the name. */
  #startOf(place: number): number {
    let start = place;
    while (this.#text[start] !== SEPARATOR) start -= 1;
    return start;
  }

  #matchOf(start: number, piece: Uint8Array): NameMatch {
    for (let at = 0; at < piece.length; at++) if (this.#text[start + 1 + at] !== piece[at]) return 3;
    return this.#text[start + 1 + piece.length] === SEPARATOR ? 1 : 2;
  }

  #rankOf(start: number): number {
    const step = Math.floor(start / RANK_STEP);
    let rank = this.#ranks[step] as number;
    for (let at = step * RANK_STEP; at < start; at++) if (this.#text[at] === SEPARATOR) rank += 1;
    return rank;
  }

  /** Of places that the same bytes follow: the first where the name ends behind them. Those are the last ones. */
  #firstEnding({ from, to }: Range, length: number): number {
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#text[(this.#places[middle] as number) + length] === SEPARATOR) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Where in the sorted places those stand that the bytes follow. */
  #rangeOf(bytes: Uint8Array): Range {
    const first = this.#firstFence(fenceWord(bytes, 0, 0), fenceWord(bytes, 4, 0), 0, 0);
    const behind = this.#firstFence(fenceWord(bytes, 0, 0xff), fenceWord(bytes, 4, 0xff), 1, first);
    const end = Math.min(behind * BLOCK, this.#places.length);
    const from = this.#firstNotBefore(bytes, Math.max(0, (first - 1) * BLOCK), end, 0);
    if (from === end || this.#compare(from, bytes) !== 0) return NOTHING;
    // What the fences know of the bytes need not be looked for again.
    const known = bytes.length <= FENCE_BYTES ? Math.max(from, (behind - 1) * BLOCK) : from;
    return { from, to: this.#firstNotBefore(bytes, known, end, 1) };
  }

  /** The first block from a known one on whose fence is not smaller (than: 0) or is larger (than: 1). */
  #firstFence(high: number, low: number, than: 0 | 1, known: number): number {
    const fences = this.#fences;
    const isBefore = (block: number): boolean => {
      const difference = (fences[2 * block] as number) - high || (fences[2 * block + 1] as number) - low;
      return difference < than;
    };
    const pair = high >>> 16;
    let first = Math.max(known, this.#firstBlocks[pair] as number);
    let behind = Math.max(first, this.#firstBlocks[pair + 1] as number);
    // Most pieces are rare: where they end is not far from where they begin.
    for (let step = 1; than === 1 && first + step < behind; step *= 2) {
      if (isBefore(first + step)) first += step + 1;
      else behind = first + step;
    }
    while (first < behind) {
      const middle = (first + behind) >>> 1;
      if (isBefore(middle)) first = middle + 1;
      else behind = middle;
    }
    return first;
  }

  /** @param than 0: the first place that the bytes, or larger ones, follow; 1: the first that larger ones follow */
  #firstNotBefore(bytes: Uint8Array, from: number, to: number, than: 0 | 1): number {
    let low = from;
    let high = to;
    for (let step = 1; than === 1 && low + step < high; step *= 2) {
      if (this.#compare(low + step, bytes) < than) low += step + 1;
      else high = low + step;
    }
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, bytes) < than) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** What follows at a place, beside the bytes: less than 0 when it is smaller. */
  #compare(index: number, bytes: Uint8Array): number {
    const place = this.#places[index] as number;
    for (let at = 0; at < bytes.length; at++) {
      const difference = (this.#text[place + at] as number) - (bytes[at] as number);
      if (difference !== 0) return difference;
    }
    return 0;
  }
}

interface Range {
  readonly from: number;
  readonly to: number;
}

const NOTHING: Range = { from: 0, to: 0 };

/** One question on its way. */
interface Look {
  readonly piece: Uint8Array;
  readonly best: Best;
  readonly isStale: (row: number) => boolean;
}

const SEPARATOR_BYTES = Buffer.of(SEPARATOR);
/** Room for the key's two parts in one number that compares as they do. */
const MATCH_UNIT = 2 ** 32;

/** The best names of each list so far, in order, each once. */
class Best {
  /** By list: only smaller places can still be among the best of the match that is looked for. */
  readonly limits: Uint32Array;
  readonly #max: number;
  readonly #keys: number[][];
  readonly #rows: number[][];

  constructor(lists: number, max: number) {
    this.limits = new Uint32Array(lists).fill(NONE);
    this.#max = max;
    this.#keys = Array.from({ length: lists }, () => []);
    this.#rows = Array.from({ length: lists }, () => []);
  }

  /** What comes now is not better than what came before. */
  setLimits(match: NameMatch): void {
    for (const list of this.limits.keys()) this.#setLimit(list, match);
  }

  has(list: number, match: NameMatch, start: number): boolean {
    return (this.#keys[list] as number[]).includes(match * MATCH_UNIT + start);
  }

  take(list: number, match: NameMatch, start: number, row: number): void {
    const keys = this.#keys[list] as number[];
    const rows = this.#rows[list] as number[];
    const key = match * MATCH_UNIT + start;
    let at = keys.length;
    while (at > 0 && (keys[at - 1] as number) > key) at -= 1;
    keys.splice(at, 0, key);
    rows.splice(at, 0, row);
    if (keys.length > this.#max) {
      keys.pop();
      rows.pop();
    }
    this.#setLimit(list, match);
  }

  toRows(): NamedRow[][] {
    return this.#rows.map((rows, list) =>
      rows.map((row, at) => ({
        row,
        match: Math.floor((this.#keys[list]?.[at] as number) / MATCH_UNIT) as NameMatch,
      })),
    );
  }

  #setLimit(list: number, match: NameMatch): void {
    const keys = this.#keys[list] as number[];
    if (keys.length < this.#max) return;
    this.limits[list] = Math.max(0, (keys.at(-1) as number) - match * MATCH_UNIT);
  }
}
