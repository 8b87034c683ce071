/**
 * One pass over the folded names of a list, in order of views; the bytes beside a hit tell its kind. Blocks of names
 * that lack one of the search's byte triples are skipped, which makes the pass ten times as fast.
 */
import { CHECK_RESULTS_MAX } from '../entries/check.ts';
import { rowOf, type Segment } from './sort-orders.ts';

const BREAK = 10;
/** Names in a block, and bits of its set of byte triples. */
const BLOCK = 64;
const BITS = 8_192;
const WORD = 32;

/** Equal names, names that begin with the search, then the rest; one more than is shown. @param folded not empty */
export function scanNames(segments: readonly Segment[], folded: string): number[] {
  const most = CHECK_RESULTS_MAX + 1;
  const [equal, begins, holds]: [number[], number[], number[]] = [[], [], []];
  // Names contain no line break.
  if (folded.includes('\n')) return [];
  const searches = [folded, `\n${folded}`, `\n${folded}\n`].map((text) => Buffer.from(text));
  const triples = searches.map(listTriples);
  for (const { elements, names } of segments)
    for (const block of names ? blocksOf(names) : [])
      for (let from = 0; equal.length < most;) {
        // Skips kinds of hits of which there are enough.
        const before = holds.length < most ? 0 : 1;
        const after = before === 1 && begins.length >= most ? 1 : 0;
        if (from === 0 && !block.mayHold(triples[before + after] as number[])) break;
        const bytes = searches[before + after] as Buffer;
        const at = block.names.indexOf(bytes, from);
        if (at < 0) break;
        const start = at + before;
        const end = at + bytes.length - after;
        const isStart = block.names[start - 1] === BREAK;
        const kind = !isStart ? holds : block.names[end] === BREAK ? equal : begins;
        if (kind.length < most) kind.push(rowOf(elements[block.numberAt(start)] as number));
        from = block.names.indexOf(BREAK, end);
      }
  return [...equal, ...begins, ...holds].slice(0, most);
}

/** Three neighbouring bytes each, as bits of a block. */
function listTriples(bytes: Buffer): number[] {
  const hash = (at: number): number =>
    ((bytes[at] as number) * 997 + (bytes[at + 1] as number) * 31 + (bytes[at + 2] as number)) % BITS;
  return Array.from({ length: Math.max(0, bytes.length - 2) }, (_, at) => hash(at));
}

class Block {
  /** Each between two line breaks. */
  readonly names: Buffer;
  readonly #first: number;
  readonly #triples = new Int32Array(BITS / WORD);

  /** @param first number of the first name in its segment */
  constructor(names: Buffer, first: number) {
    this.names = names;
    this.#first = first;
    for (const bit of listTriples(names)) (this.#triples[bit >>> 5] as number) |= 1 << (bit % WORD);
  }

  mayHold(triples: readonly number[]): boolean {
    return triples.every((bit) => ((this.#triples[bit >>> 5] as number) & (1 << (bit % WORD))) !== 0);
  }

  numberAt(place: number): number {
    let number = this.#first - 1;
    for (let at = 0; at >= 0 && at < place; number += 1) at = this.names.indexOf(BREAK, at + 1);
    return number;
  }
}

const known = new WeakMap<Buffer, readonly Block[]>();

function blocksOf(names: Buffer): readonly Block[] {
  const found = known.get(names);
  if (found) return found;
  const blocks: Block[] = [];
  for (let from = 0, to = 0; from < names.length - 1; from = to) {
    for (let left = BLOCK; left > 0 && to < names.length - 1; left -= 1) to = names.indexOf(BREAK, to + 1);
    blocks.push(new Block(names.subarray(from, to + 1), blocks.length * BLOCK));
  }
  known.set(names, blocks);
  return blocks;
}
