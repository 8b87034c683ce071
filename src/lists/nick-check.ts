/**
 * One pass over the folded names of a list, in order of views; the bytes beside a hit tell its kind. Blocks of names
 * that lack one of the search's byte triples are skipped, which makes the pass four times as fast.
 */
import { CHECK_RESULTS_MAX } from '../entries/check-entries.ts';
import { rowOf, type Piece } from './sort-orders.ts';

const BREAK = 10;
/** Names in a block, and bits of its set of byte triples. */
const BLOCK = 16;
const BITS = 2_048;
const WORD = 32;

/** Equal names, names that begin with the search, then the rest; one more than is shown. @param folded not empty */
export function findByName(pieces: readonly Piece[], folded: string): number[] {
  const most = CHECK_RESULTS_MAX + 1;
  const [equal, begins, holds]: [number[], number[], number[]] = [[], [], []];
  // Names contain no line break.
  if (folded.includes('\n')) return [];
  const searches = [folded, `\n${folded}`, `\n${folded}\n`].map(toSearch);
  for (const { elements, names } of pieces) {
    if (!names) continue;
    const blocks = blocksOf(names);
    for (let from = 0; equal.length < most;) {
      // Skips kinds of hits of which there are enough.
      const before = holds.length < most ? 0 : 1;
      const after = before === 1 && begins.length >= most ? 1 : 0;
      const { bytes, triples } = searches[before + after] as ReturnType<typeof toSearch>;
      const at = blocks.find(bytes, triples, from);
      if (at < 0) break;
      const start = at + before;
      const end = at + bytes.length - after;
      const kind = names[start - 1] !== BREAK ? holds : names[end] === BREAK ? equal : begins;
      if (kind.length < most) kind.push(rowOf(elements[blocks.nameAt(start)] as number));
      from = names.indexOf(BREAK, end);
    }
  }
  return [...equal, ...begins, ...holds].slice(0, most);
}

function toSearch(text: string): { readonly bytes: Buffer; readonly triples: readonly number[] } {
  const bytes = Buffer.from(text);
  const triples = Array.from({ length: Math.max(0, bytes.length - 2) }, (_, at) => tripleAt(bytes, at));
  return { bytes, triples };
}

function tripleAt(bytes: Buffer, at: number): number {
  return ((bytes[at] as number) * 997 + (bytes[at + 1] as number) * 31 + (bytes[at + 2] as number)) % BITS;
}

class Blocks {
  readonly #names: Buffer;
  /** Position before each block's first name, and of the last line break. */
  readonly #starts: Uint32Array;
  readonly #triples: Int32Array;

  constructor(names: Buffer) {
    this.#names = names;
    const starts = [];
    for (let at = 0, number = 0; at >= 0; at = names.indexOf(BREAK, at + 1), number += 1)
      if (number % BLOCK === 0 || at === names.length - 1) starts.push(at);
    this.#starts = Uint32Array.from(starts);
    this.#triples = new Int32Array(((starts.length - 1) * BITS) / WORD);
    for (let block = 0; block < starts.length - 1; block += 1)
      for (let at = starts[block] as number; at < (starts[block + 1] as number) - 1; at += 1) {
        const bit = block * BITS + tripleAt(names, at);
        (this.#triples[bit >>> 5] as number) |= 1 << (bit % WORD);
      }
  }

  /** The first position of some bytes; -1 when there is none. @param from a line break @param triples of the bytes */
  find(bytes: Buffer, triples: readonly number[], from: number): number {
    if (triples.length === 0) return this.#names.indexOf(bytes, from);
    for (let block = this.#blockAt(from + 1); block < this.#starts.length - 1; block += 1)
      if (this.#mayHold(block, triples)) {
        const start = Math.max(from, this.#starts[block] as number);
        const at = this.#names.subarray(start, (this.#starts[block + 1] as number) + 1).indexOf(bytes);
        if (at >= 0) return start + at;
      }
    return -1;
  }

  nameAt(place: number): number {
    const block = this.#blockAt(place);
    let number = block * BLOCK - 1;
    for (let at = this.#starts[block] as number; at >= 0 && at < place; number += 1)
      at = this.#names.indexOf(BREAK, at + 1);
    return number;
  }

  #blockAt(place: number): number {
    let block = 0;
    while (block < this.#starts.length - 1 && (this.#starts[block + 1] as number) < place) block += 1;
    return block;
  }

  #mayHold(block: number, triples: readonly number[]): boolean {
    for (const triple of triples) {
      const bit = block * BITS + triple;
      if (((this.#triples[bit >>> 5] as number) & (1 << (bit % WORD))) === 0) return false;
    }
    return true;
  }
}

const known = new WeakMap<Buffer, Blocks>();

function blocksOf(names: Buffer): Blocks {
  const found = known.get(names) ?? new Blocks(names);
  known.set(names, found);
  return found;
}
