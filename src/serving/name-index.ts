/**
 * Finds names by any piece of them (SPEC 4.2): the folded names of all public entries in memory, in buckets by every
 * three bytes that follow one another in them. The names that hold a piece all stand in the bucket of each three bytes
 * of it, so a look through the smallest of these buckets is enough.
 */
import { LIST_KINDS } from '../entries/entry.ts';

/** Typed arrays only, each over a buffer of its own, so that a thread can make the table and hand it over. */
export interface NameTable {
  /** The names in UTF-8, one after another. */
  readonly text: Uint8Array<ArrayBuffer>;
  /** By number of the name: where it begins in the text. One more: where the last one ends. */
  readonly starts: Uint32Array<ArrayBuffer>;
  /** By number of the name. */
  readonly rows: Uint32Array<ArrayBuffer>;
  /** By number of the name: the place of its list in LIST_KINDS. */
  readonly lists: Uint8Array<ArrayBuffer>;
  /** By bucket: where in `items` it ends and the next one begins. */
  readonly bucketEnds: Uint32Array<ArrayBuffer>;
  /** By bucket, each name once and in order: its number times PLACES, plus where in it the three bytes stand first. */
  readonly items: Uint32Array<ArrayBuffer>;
}

export interface ListedName {
  readonly row: number;
  /** Its place in LIST_KINDS. */
  readonly list: number;
  /** Made by foldText. */
  readonly folded: string;
}

/** How a name holds the piece: 1 equals it, 2 begins with it, 3 holds it elsewhere. */
export type NameMatch = 1 | 2 | 3;

export interface FoundName {
  readonly row: number;
  readonly match: NameMatch;
}

export interface NameIndex {
  /**
   * By list: the best names that hold the piece, by match, then by rank, then as they were added.
   * @param folded made by foldText; nothing holds an empty one, or half a character
   * @param perList how many of a list at most; at least 1
   * @param ranks by row, 0 for the most viewed; rows beyond its end come last
   * @param isStale rows that are left out
   */
  find(folded: string, perList: number, ranks: Uint32Array, isStale: (row: number) => boolean): FoundName[][];
}

const BUCKET_BITS = 18;
/** What stands farther behind counts as the last place. */
const PLACES = 0x100;
const NAMES_MAX = 2 ** 32 / PLACES;
const NEAR_BYTES = 64;

/** Takes half a second for a million names, in any order. */
export function makeNameTable(names: Iterable<ListedName>): NameTable {
  let text = Buffer.alloc(0x1_0000);
  const starts = [0];
  const rows: number[] = [];
  const lists: number[] = [];
  let length = 0;
  for (const { row, list, folded } of names) {
    const room = 3 * folded.length;
    if (length + room > text.length) text = Buffer.concat([text], 2 * (length + room));
    length += text.write(folded, length);
    starts.push(length);
    rows.push(row);
    lists.push(list);
  }
  if (rows.length > NAMES_MAX) throw new RangeError(`Cannot number more than ${NAMES_MAX} names.`);
  return addBuckets({
    text: new Uint8Array(text.subarray(0, length)),
    starts: new Uint32Array(starts),
    rows: new Uint32Array(rows),
    lists: new Uint8Array(lists),
  });
}

function addBuckets(names: Omit<NameTable, 'bucketEnds' | 'items'>): NameTable {
  const bucketEnds = new Uint32Array(2 ** BUCKET_BITS);
  moveEnds(names.text, names.starts, bucketEnds);
  let total = 0;
  for (let bucket = 0; bucket < bucketEnds.length; bucket++) {
    const count = bucketEnds[bucket] as number;
    bucketEnds[bucket] = total;
    total += count;
  }
  const items = new Uint32Array(total);
  moveEnds(names.text, names.starts, bucketEnds, items);
  return { ...names, bucketEnds, items };
}

/** Moves the end of every bucket by the number of its names and, given items, puts them there. */
function moveEnds(text: Uint8Array, starts: Uint32Array, ends: Uint32Array, items?: Uint32Array): void {
  const latest = new Uint32Array(ends.length);
  for (let name = 1; name < starts.length; name++) {
    const start = starts[name - 1] as number;
    const last = (starts[name] as number) - 3;
    for (let at = start; at <= last; at++) {
      const bucket = bucketOf(text, at);
      if (latest[bucket] === name) continue;
      latest[bucket] = name;
      const end = ends[bucket]!++;
      if (items) items[end] = (name - 1) * PLACES + Math.min(at - start, PLACES - 1);
    }
  }
}

/** Some three bytes share a bucket with others. */
function bucketOf(text: Uint8Array, at: number): number {
  const bytes = ((text[at] as number) << 16) | ((text[at + 1] as number) << 8) | (text[at + 2] as number);
  return Math.imul(bytes, 0x9e37_79b1) >>> (32 - BUCKET_BITS);
}

/** Takes no time; the table must stay as it is. */
export function createNameIndex(table: NameTable): NameIndex {
  return {
    find(folded, perList, ranks, isStale) {
      const best = LIST_KINDS.map(() => new Best(perList, ranks, isStale));
      const piece = Buffer.from(folded.isWellFormed() ? folded : '');
      if (piece.length >= 3) lookThroughBucket(table, piece, best);
      else if (piece.length > 0) lookThroughText(table, piece, best);
      return best.map((list) => list.toFound());
    },
  };
}

function lookThroughBucket(table: NameTable, piece: Uint8Array, best: readonly Best[]): void {
  const { text, starts, rows, lists, items } = table;
  const { from, to, offset } = findSmallestBucket(table, piece);
  for (let index = from; index < to; index++) {
    const item = items[index] as number;
    const name = Math.floor(item / PLACES);
    const place = item % PLACES;
    const row = rows[name] as number;
    const list = best[lists[name] as number] as Best;
    // Reading the text is what takes the time. Once good names are known, a look at the rank mostly spares it.
    const worst = list.worstMatchFor(row);
    if (worst === 0 || (worst < 3 && place > offset)) continue;
    const start = starts[name] as number;
    const last = (starts[name + 1] as number) - piece.length;
    if (worst === 1 && start !== last) continue;
    const lastLook = worst < 3 ? Math.min(start, last) : last;
    let at = start + Math.max(0, place - offset);
    while (at <= lastLook && !standsAt(text, at, piece)) at += 1;
    if (at <= lastLook) list.offer(row, at > start ? 3 : at < last ? 2 : 1);
  }
}

/** @returns `offset`: where in the piece the three bytes stand that the bucket is of */
function findSmallestBucket({ bucketEnds }: NameTable, piece: Uint8Array) {
  let smallest = { from: 0, to: Infinity, offset: 0 };
  for (let offset = 0; offset + 3 <= piece.length; offset++) {
    const bucket = bucketOf(piece, offset);
    const from = bucketEnds[bucket - 1] ?? 0;
    const to = bucketEnds[bucket] as number;
    if (to - from < smallest.to - smallest.from) smallest = { from, to, offset };
  }
  return smallest;
}

function standsAt(text: Uint8Array, start: number, piece: Uint8Array): boolean {
  for (let at = 0; at < piece.length; at++) if (text[start + at] !== piece[at]) return false;
  return true;
}

/** For pieces of one or two bytes, which have no bucket. */
function lookThroughText(table: NameTable, piece: Uint8Array, best: readonly Best[]): void {
  const { text, starts, rows, lists } = table;
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.length);
  const [first, second] = piece;
  const isAt = (at: number): boolean =>
    text[at] === first && (second === undefined || text[at + 1] === second);
  /** Where the piece stands next; not looked up while only names that begin with it are good enough. */
  let next = -1;
  for (let name = 0; name < rows.length; name++) {
    const start = starts[name] as number;
    const last = (starts[name + 1] as number) - piece.length;
    if (next > last) continue;
    const row = rows[name] as number;
    const list = best[lists[name] as number] as Best;
    const worst = list.worstMatchFor(row);
    if (worst < 3 && (worst === 0 || !isAt(start))) continue;
    if (next < start) {
      // Common pieces are near, and a call of indexOf takes longer than the way to them.
      const far = Math.min(start + NEAR_BYTES, text.length);
      next = start;
      while (next < far && !isAt(next)) next += 1;
      if (next === far) next = bytes.indexOf(piece, far);
      if (next < 0) return;
    }
    // Else it stands across the end of the name.
    if (next <= last) list.offer(row, next > start ? 3 : next < last ? 2 : 1);
  }
}

/** One number for match and rank, which compares as they do. */
const MATCH_UNIT = 2 ** 32;

/** The best names of a list so far, in order. */
class Best {
  readonly #max: number;
  readonly #ranks: Uint32Array;
  readonly #isStale: (row: number) => boolean;
  readonly #kept: { readonly key: number; readonly row: number }[] = [];
  /** Only smaller keys are good enough. */
  #limit = Infinity;

  constructor(max: number, ranks: Uint32Array, isStale: (row: number) => boolean) {
    this.#max = max;
    this.#ranks = ranks;
    this.#isStale = isStale;
  }

  #rankOf(row: number): number {
    return row < this.#ranks.length ? (this.#ranks[row] as number) : MATCH_UNIT - 1;
  }

  /** 0 when not even an equal name of this row is good enough. */
  worstMatchFor(row: number): number {
    return Math.min(3, Math.ceil((this.#limit - this.#rankOf(row)) / MATCH_UNIT) - 1);
  }

  offer(row: number, match: NameMatch): void {
    const key = match * MATCH_UNIT + this.#rankOf(row);
    if (key >= this.#limit || this.#isStale(row)) return;
    const at = this.#kept.findLastIndex((other) => other.key <= key) + 1;
    this.#kept.splice(at, 0, { key, row });
    if (this.#kept.length > this.#max) this.#kept.pop();
    if (this.#kept.length === this.#max) this.#limit = this.#kept.at(-1)?.key ?? 0;
  }

  toFound(): FoundName[] {
    return this.#kept.map(({ key, row }) => ({ row, match: Math.floor(key / MATCH_UNIT) as NameMatch }));
  }
}
