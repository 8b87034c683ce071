/** Which keys were asked for lately; a later one takes the place of an earlier one that has the same slot. */
import { crc32 } from 'node:zlib';

const SLOTS = 32_768;

export class AskedKeys {
  readonly #hashes = new Uint32Array(SLOTS);
  readonly #times = new Float64Array(SLOTS).fill(Number.NEGATIVE_INFINITY);

  /**
   * Whether it was asked for before; a key that has the same hash counts as well.
   * @param at milliseconds of a clock that never goes back
   * @param within what was asked for longer ago does not count
   */
  isRepeated(key: string, at: number, within: number): boolean {
    const hash = crc32(key);
    const slot = hash % SLOTS;
    const isRepeated = this.#hashes[slot] === hash && at - (this.#times[slot] as number) <= within;
    this.#hashes[slot] = hash;
    this.#times[slot] = at;
    return isRepeated;
  }
}
