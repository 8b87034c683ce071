/** A seeded generator (sfc32, 128 bits of state): the same three seed words always give the same numbers. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(first = 0, second = 0, third = 0) {
    this.#a = first | 0;
    this.#b = second | 0;
    this.#c = third | 0;
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
    return this.#next() / 2 ** 32;
  }

  /** An integer from 0 up to, not including, `end`. */
  below(end: number): number {
    return Math.floor(this.unit() * end);
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<T>(values: readonly T[]): T {
    if (values.length === 0) throw new RangeError('Cannot pick from an empty array.');
    return values[this.below(values.length)] as T;
  }
}
