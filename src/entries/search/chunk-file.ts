/**
 * The file of one chunk of the search index. It is written once and read by offset; only erasing changes it in place.
 *
 *   head        eight numbers of 32 bits: magic, version, number of grams, bytes of postings and of texts
 *   textStarts  by place in the chunk: where its text begins; and where the last one ends
 *   starts      by gram: where its rows begin among the postings
 *   children    by gram: the first of the grams that go on from it; and one more
 *   rows        by gram: how many rows it has, 16 bits
 *   bytes       by gram: its last byte
 *   postings    rows of a gram: a bitmap of BITMAP_BYTES, or places of 16 bits where that is shorter
 *   texts
 *
 * Grams lie by their length; those that go on from one lie together, in the order of their last bytes.
 */
import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, writeSync } from 'node:fs';
import { BITMAP_BYTES, BITMAP_WORDS, CHUNK_ROWS, FIELD_END, goesOn, listPlaces, setBit } from './grams.ts';

/** All numbers are as this machine has them: the index is made where it is read. */
const MAGIC = 0x48435a43;
const VERSION = 2;
const HEAD_WORDS = 8;
const PLACE_BYTES = Uint16Array.BYTES_PER_ELEMENT;
const BITMAP_FROM_ROWS = BITMAP_BYTES / PLACE_BYTES;
/** In a list of places: one that was erased. */
const ERASED_PLACE = 0xffff;
/** Texts that are read in one go. */
const WINDOW_BYTES = 256 * 1024;
/** Texts of this length between two candidates are rather read than skipped. */
const SKIP_FROM_BYTES = 16 * 1024;
/** Where fewer of the texts are candidates, each is looked into by itself. */
const DENSE = 0.5;

export interface ChunkParts {
  readonly textStarts: Uint32Array;
  readonly starts: Uint32Array;
  readonly children: Uint32Array;
  readonly rows: Uint16Array;
  readonly bytes: Uint8Array;
  readonly postings: readonly Uint8Array[];
  readonly texts: Uint8Array;
}

export interface SearchChunk {
  /**
   * Places that hold all grams of the needle; undefined when there are none.
   * @param needle not empty
   * @param allowed places that count
   */
  listCandidates(needle: Buffer, allowed: Uint32Array): Candidates | undefined;
  /**
   * Those of the places whose text holds the needle in one of its fields.
   * @param goOn called now and then; throws when nobody waits for the answer any more
   */
  verify(places: Uint32Array, needle: Buffer, goOn: () => void): Uint32Array;
  close(): void;
}

export interface Candidates {
  readonly places: Uint32Array;
  /** They hold the needle itself: nothing is left to verify. */
  readonly areExact: boolean;
}

/** The file is complete and on the disk when it gets its name. */
export function writeChunk(path: string, parts: ChunkParts): void {
  const postingBytes = parts.postings.reduce((sum, { length }) => sum + length, 0);
  const head = new Uint32Array(HEAD_WORDS);
  head.set([MAGIC, VERSION, parts.rows.length, postingBytes, parts.texts.length]);
  const { textStarts, starts, children, rows, bytes, postings, texts } = parts;
  const temporary = `${path}.part`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    for (const part of [head, textStarts, starts, children, rows, bytes, ...postings, texts]) {
      const raw = new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
      for (let at = 0; at < raw.length;) at += writeSync(file, raw, at);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}

/** @throws when the file is not there or is no chunk of this version */
export function openSearchChunk(path: string): SearchChunk {
  const chunk = openChunk(path, 'r');
  const having = new Uint32Array(BITMAP_WORDS);

  return {
    listCandidates(needle, allowed) {
      const grams = findGrams(chunk, needle);
      if (!grams) return undefined;
      const places = new Uint32Array(allowed);
      for (const gram of grams.indexes) {
        readRows(chunk, gram, having);
        let any = 0;
        for (let word = 0; word < BITMAP_WORDS; word += 1) {
          any |= places[word] = (places[word] as number) & (having[word] as number);
        }
        if (any === 0) return undefined;
      }
      return { places, areExact: grams.areExact };
    },
    verify: (places, needle, goOn) => verify(chunk, places, needle, goOn),
    close: () => closeSync(chunk.file),
  };
}

interface OpenChunk {
  readonly file: number;
  readonly textStarts: Uint32Array;
  readonly starts: Uint32Array;
  readonly children: Uint32Array;
  readonly rows: Uint16Array;
  readonly bytes: Uint8Array;
  /** Grams of one byte. */
  readonly roots: number;
  readonly postingsAt: number;
  readonly textsAt: number;
}

function openChunk(path: string, mode: 'r' | 'r+'): OpenChunk {
  const file = openSync(path, mode);
  try {
    let at = 0;
    const fill = <Part extends Uint8Array | Uint16Array | Uint32Array>(part: Part): Part => {
      readExactly(file, new Uint8Array(part.buffer), at);
      at += part.byteLength;
      return part;
    };
    const [magic, version, grams = 0, postingBytes = 0, textBytes = 0] = fill(new Uint32Array(HEAD_WORDS));
    if (magic !== MAGIC || version !== VERSION) throw new Error(`${path} is no search index of this version`);
    const textStarts = fill(new Uint32Array(CHUNK_ROWS + 1));
    const starts = fill(new Uint32Array(grams));
    const children = fill(new Uint32Array(grams + 1));
    const rows = fill(new Uint16Array(grams));
    const bytes = fill(new Uint8Array(grams));
    const textsAt = at + postingBytes;
    if (fstatSync(file).size !== textsAt + textBytes) throw new Error(`${path} is cut off`);
    const roots = children[0] ?? 0;
    return { file, textStarts, starts, children, rows, bytes, roots, postingsAt: at, textsAt };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function readExactly(file: number, into: Uint8Array, position: number): void {
  for (let at = 0; at < into.length;) {
    const read = readSync(file, into, at, into.length - at, position + at);
    if (read === 0) throw new Error('a file of the search index is cut off');
    at += read;
  }
}

/** The gram that goes on from another by this byte, or -1. @param gram -1 for the empty one */
function findChild({ children, bytes, roots }: OpenChunk, gram: number, byte: number): number {
  let low = gram === -1 ? 0 : (children[gram] as number);
  const end = gram === -1 ? roots : (children[gram + 1] as number);
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((bytes[middle] as number) < byte) low = middle + 1;
    else high = middle;
  }
  return low < end && bytes[low] === byte ? low : -1;
}

/**
 * Grams that every text with the needle has, the rarest first; undefined when no text can have it.
 * `areExact` when those texts are all there are.
 */
function findGrams(chunk: OpenChunk, needle: Buffer): { indexes: number[]; areExact: boolean } | undefined {
  const indexes: number[] = [];
  let reached = 0;
  for (let from = 0; reached < needle.length; from += 1) {
    let gram = -1;
    let at = from;
    for (; at < needle.length; at += 1) {
      const child = findChild(chunk, gram, needle[at] as number);
      if (child === -1) {
        if (gram === -1 || goesOn(at - from, chunk.rows[gram] as number)) return undefined;
        break;
      }
      gram = child;
    }
    if (from === 0 && at === needle.length) return { indexes: [gram], areExact: true };
    // Otherwise it is a part of a gram before it.
    if (at > reached) indexes.push(gram);
    reached = at;
  }
  indexes.sort((a, b) => (chunk.rows[a] as number) - (chunk.rows[b] as number));
  return { indexes, areExact: false };
}

const RAW_ROWS = new Uint32Array(BITMAP_WORDS);

function readRows(chunk: OpenChunk, gram: number, into: Uint32Array): void {
  const count = chunk.rows[gram] as number;
  const at = chunk.postingsAt + (chunk.starts[gram] as number);
  if (count >= BITMAP_FROM_ROWS) return readExactly(chunk.file, new Uint8Array(into.buffer), at);
  readExactly(chunk.file, new Uint8Array(RAW_ROWS.buffer, 0, count * PLACE_BYTES), at);
  const places = new Uint16Array(RAW_ROWS.buffer, 0, count);
  into.fill(0);
  for (let index = 0; index < count; index += 1) {
    const place = places[index] as number;
    if (place !== ERASED_PLACE) setBit(into, place);
  }
}

/** Looks into the texts of the candidates, which lie in their order. */
function verify(chunk: OpenChunk, candidates: Uint32Array, needle: Buffer, goOn: () => void): Uint32Array {
  const { textStarts } = chunk;
  const found = new Uint32Array(BITMAP_WORDS);
  const places = listPlaces(candidates);
  const startOf = (index: number): number => textStarts[places[index] as number] as number;
  const endOf = (index: number): number => textStarts[(places[index] as number) + 1] as number;
  let buffer = Buffer.allocUnsafe(WINDOW_BYTES);
  for (let first = 0, behind = 0; first < places.length; first = behind) {
    const from = startOf(first);
    behind = first + 1;
    while (
      behind < places.length &&
      startOf(behind) - endOf(behind - 1) < SKIP_FROM_BYTES &&
      endOf(behind) - from <= WINDOW_BYTES
    ) {
      behind += 1;
    }
    const length = endOf(behind - 1) - from;
    if (length > buffer.length) buffer = Buffer.allocUnsafe(length);
    const texts = buffer.subarray(0, length);
    readExactly(chunk.file, texts, chunk.textsAt + from);
    const between = (places[behind - 1] as number) - (places[first] as number) + 1;
    if (behind - first < between * DENSE) {
      for (let index = first; index < behind; index += 1) {
        const text = texts.subarray(startOf(index) - from, endOf(index) - from);
        if (text.includes(needle)) setBit(found, places[index] as number);
      }
    } else {
      // Every hit is inside a candidate: from hit to hit, and on from the end of the text that has it.
      let index = first;
      for (let hit = texts.indexOf(needle); hit !== -1; hit = texts.indexOf(needle, endOf(index) - from)) {
        while (index < behind && endOf(index) - from <= hit) index += 1;
        if (index === behind) break;
        if (startOf(index) - from <= hit) setBit(found, places[index] as number);
      }
    }
    goOn();
  }
  return found;
}

/**
 * Overwrites texts in place, and takes their rows out of the grams.
 * @param whatOf by place: `all` of it, the `text` alone, or `nothing`
 * @returns how many texts were there to overwrite
 */
export function eraseFromChunk(path: string, whatOf: (place: number) => 'all' | 'text' | 'nothing'): number {
  const chunk = openChunk(path, 'r+');
  let erased = 0;
  try {
    const { textStarts } = chunk;
    for (let place = 0; place < CHUNK_ROWS; place += 1) {
      const start = textStarts[place] as number;
      const length = (textStarts[place + 1] as number) - start;
      if (length === 0) continue;
      const what = whatOf(place);
      if (what === 'nothing') continue;
      const text = Buffer.alloc(length);
      readExactly(chunk.file, text, chunk.textsAt + start);
      if (text.every((byte) => byte === FIELD_END)) continue;
      if (what === 'all') for (const gram of gramsOf(chunk, text)) eraseRow(chunk, gram, place);
      writeSync(chunk.file, text.fill(FIELD_END), 0, length, chunk.textsAt + start);
      erased += 1;
    }
    if (erased > 0) fsyncSync(chunk.file);
  } finally {
    closeSync(chunk.file);
  }
  return erased;
}

/** Every gram of a text. */
function gramsOf(chunk: OpenChunk, text: Buffer): Set<number> {
  const grams = new Set<number>();
  for (let from = 0; from < text.length; from += 1) {
    let gram = -1;
    for (let at = from; at < text.length; at += 1) {
      gram = findChild(chunk, gram, text[at] as number);
      if (gram === -1) break;
      grams.add(gram);
    }
  }
  return grams;
}

function eraseRow(chunk: OpenChunk, gram: number, place: number): void {
  const { file, rows, starts, postingsAt } = chunk;
  const count = rows[gram] as number;
  const at = postingsAt + (starts[gram] as number);
  if (count >= BITMAP_FROM_ROWS) {
    const byte = Buffer.alloc(1);
    readExactly(file, byte, at + (place >>> 3));
    byte[0] = (byte[0] as number) & ~(1 << (place & 7));
    writeSync(file, byte, 0, 1, at + (place >>> 3));
    return;
  }
  const places = new Uint16Array(count);
  readExactly(file, new Uint8Array(places.buffer), at);
  const index = places.indexOf(place);
  if (index === -1) return;
  const erased = Uint16Array.of(ERASED_PLACE);
  writeSync(file, erased, 0, PLACE_BYTES, at + index * PLACE_BYTES);
}
