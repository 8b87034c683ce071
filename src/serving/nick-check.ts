/**
 * The check by nickname (SPEC 4.2): one pass over the folded names of a list, in order of views. The bytes beside a hit say
 * whether a name is equal, begins with the search, or holds it further on.
 */
import { CHECK_RESULTS_MAX } from '../entries/check-entries.ts';
import { rowOf } from './orders.ts';
import type { Piece } from './orders.ts';

const BREAK = 10;

/**
 * Rows of one list, those with an equal name first, then those whose names begin with the search, then the rest; each by
 * views. One more than is answered, so that the caller knows of it.
 * @param folded not empty
 */
export function findByName(pieces: readonly Piece[], folded: string): number[] {
  const most = CHECK_RESULTS_MAX + 1;
  const [equal, begins, holds]: [number[], number[], number[]] = [[], [], []];
  // A line of the names has no line break.
  if (folded.includes('\n')) return [];
  for (const { elements, names } of pieces) {
    if (!names) continue;
    let lines: Lines | undefined;
    for (let from = 0; equal.length < most;) {
      // Kinds of hits of which there are enough are not looked for any more.
      const before = holds.length < most ? '' : '\n';
      const after = before !== '' && begins.length >= most ? '\n' : '';
      const needle = Buffer.from(before + folded + after);
      const at = names.indexOf(needle, from);
      if (at < 0) break;
      const start = at + before.length;
      const end = start + needle.length - before.length - after.length;
      const kind = names[start - 1] !== BREAK ? holds : names[end] === BREAK ? equal : begins;
      if (kind.length < most)
        kind.push(rowOf(elements[(lines ??= new Lines(names)).numberAt(start)] as number));
      from = names.indexOf(BREAK, end);
    }
  }
  return [...equal, ...begins, ...holds].slice(0, most);
}

/** Counts lines from the beginning on. */
class Lines {
  readonly #names: Buffer;
  #number = 0;
  #next: number;

  constructor(names: Buffer) {
    this.#names = names;
    this.#next = names.indexOf(BREAK, 1);
  }

  /** The number of the line at a place; places are asked for in rising order. */
  numberAt(place: number): number {
    while (this.#next < place) {
      this.#number += 1;
      this.#next = this.#names.indexOf(BREAK, this.#next + 1);
    }
    return this.#number;
  }
}
