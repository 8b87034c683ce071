import type { Facts, Phrase } from './phrase.ts';
import type { Random } from './random.ts';

/** Draws phrases without repeating one until every phrase of the pools has been used. */
export class Draw {
  readonly #random: Random;
  readonly #first: readonly Phrase[];
  readonly #second: readonly Phrase[];
  readonly #size: number;
  readonly #stride: number;
  #at: number;
  #drawn = 0;

  constructor(random: Random, first: readonly Phrase[], second: readonly Phrase[] = []) {
    this.#random = random;
    this.#first = first;
    this.#second = second;
    this.#size = first.length + second.length;
    this.#at = random.below(this.#size);
    // A stride without a common divisor visits every place once before it comes back.
    let stride = 1 + random.below(this.#size);
    while (greatestCommonDivisor(stride, this.#size) !== 1) stride++;
    this.#stride = stride;
  }

  /** True once every phrase has been drawn; from then on they come again. */
  get isExhausted(): boolean {
    return this.#drawn >= this.#size;
  }

  next(facts: Facts): string {
    this.#drawn++;
    this.#at = (this.#at + this.#stride) % this.#size;
    const inSecond = this.#at - this.#first.length;
    const phrase = inSecond < 0 ? this.#first[this.#at] : this.#second[inSecond];
    if (phrase === undefined) throw new RangeError('Cannot draw from empty pools.');
    return phrase(facts, this.#random);
  }
}

/** `count` phrases of the pool (all of them when it has fewer), in the pool's own order. */
export function drawInOrder(random: Random, pool: readonly Phrase[], facts: Facts, count: number): string[] {
  const drawn: string[] = [];
  let wanted = Math.min(count, pool.length);
  let left = pool.length;
  for (const phrase of pool) {
    if (random.unit() * left < wanted) {
      drawn.push(phrase(facts, random));
      wanted--;
    }
    left--;
  }
  return drawn;
}

function greatestCommonDivisor(left: number, right: number): number {
  while (right !== 0) [left, right] = [right, left % right];
  return left;
}
