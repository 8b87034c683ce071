/**
 * What the search index is made of. A text is found in another exactly where its bytes of UTF-8 are, so the index
 * knows bytes: a gram is a run of them inside one field of an entry. All runs of one, two and three bytes are indexed,
 * and of those that very many entries hold, the longer ones too: what is common is answered without a look at texts.
 */

/** Entries of a chunk, by their row numbers. */
export const CHUNK_ROWS = 32_768;
export const BITMAP_WORDS = CHUNK_ROWS / 32;
export const BITMAP_BYTES = CHUNK_ROWS / 8;
/** Stands behind each field of a text; no UTF-8 holds it, so that nothing is found across two fields. */
export const FIELD_END = 0xff;
/** Every run of up to this many bytes is a gram. */
const GRAM_BYTES = 3;
/** No gram is longer. */
const GRAM_BYTES_MAX = 24;
/** A gram that more entries of a chunk hold is followed by all grams that go on from it. */
const COMMON_ROWS = CHUNK_ROWS / 16;

export interface FoldedTexts {
  readonly name: string;
  readonly chatId: string;
  readonly reason: string;
}

const END = Buffer.of(FIELD_END);

/** The folded fields of an entry as one text. */
export function joinFields({ name, chatId, reason }: FoldedTexts): Buffer {
  return Buffer.concat([Buffer.from(name), END, Buffer.from(chatId), END, Buffer.from(reason), END]);
}

/** Whether all grams that are one byte longer than a gram of this length are in the index. */
export function goesOn(length: number, rows: number): boolean {
  return length < GRAM_BYTES || (length < GRAM_BYTES_MAX && rows > COMMON_ROWS);
}

export function chunkOf(row: number): number {
  return Math.floor(row / CHUNK_ROWS);
}

export function countBits(bitmap: Uint32Array): number {
  let count = 0;
  for (let index = 0; index < bitmap.length; index += 1) {
    let word = bitmap[index] as number;
    if (word === 0) continue;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

export function hasBit(bitmap: Uint32Array, place: number): boolean {
  return (((bitmap[place >>> 5] as number) >>> (place & 31)) & 1) === 1;
}

export function setBit(bitmap: Uint32Array, place: number): void {
  bitmap[place >>> 5] = (bitmap[place >>> 5] as number) | (1 << (place & 31));
}

export function clearBit(bitmap: Uint32Array, place: number): void {
  bitmap[place >>> 5] = (bitmap[place >>> 5] as number) & ~(1 << (place & 31));
}

/** Places of a chunk whose bits are set, ascending. */
export function listPlaces(bitmap: Uint32Array): Uint16Array {
  const places = new Uint16Array(countBits(bitmap));
  let count = 0;
  for (let index = 0; index < bitmap.length; index += 1) {
    for (let word = bitmap[index] as number; word !== 0; word &= word - 1) {
      places[count] = index * 32 + 31 - Math.clz32(word & -word);
      count += 1;
    }
  }
  return places;
}
