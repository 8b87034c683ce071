/**
 * A seeded generator (sfc32, 128 bits of state). The same three seed words always give the same numbers, so a
 * record can be made again from its seed and index alone.
 */
export class Random {
  #a = 0;
  #b = 0;
  #c = 0;
  #counter = 1;

  constructor(first = 0, second = 0, third = 0) {
    this.reseed(first, second, third);
  }

  reseed(first: number, second: number, third: number): void {
    this.#a = first | 0;
    this.#b = second | 0;
    this.#c = third | 0;
    this.#counter = 1;
    // Neighbouring seeds give unrelated numbers only after the words have mixed.
    for (let round = 0; round < 12; round++) this.#next();
  }

  #next(): number {
    const result = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + result) | 0;
    return result >>> 0;
  }

  /** A number from 0 up to, not including, 1. */
  unit(): number {
    return this.#next() / 4_294_967_296;
  }

  /** An integer from 0 up to, not including, `end`. */
  below(end: number): number {
    return Math.floor(this.unit() * end);
  }

  /** An integer from `first` to `last`, both included. */
  between(first: number, last: number): number {
    return first + this.below(last - first + 1);
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<T>(values: readonly T[]): T {
    if (values.length === 0) throw new RangeError('Cannot pick from an empty array.');
    return values[this.below(values.length)] as T;
  }

  /** Like `pick`, but early values come up much more often than late ones, as popular words do. */
  pickEarly<T>(values: readonly T[]): T {
    if (values.length === 0) throw new RangeError('Cannot pick from an empty array.');
    return values[Math.floor(this.unit() ** 2.5 * values.length)] as T;
  }
}
