/** Makes the bytes of one chunk of the search index; chunk-file.ts tells how they lie. */
import type { ChunkParts } from './chunk-file.ts';
import { BITMAP_BYTES, CHUNK_ROWS, FIELD_END, goesOn } from './grams.ts';

/** Bytes of texts that are worked on before others get their turn: some milliseconds. */
const STEP = 1 << 19;
const PLACE_BYTES = Uint16Array.BYTES_PER_ELEMENT;
/** From this many rows on a bitmap is no longer than a list of them. */
const BITMAP_FROM_ROWS = BITMAP_BYTES / PLACE_BYTES;

/**
 * Level by level, from the runs of one byte on: a position in the texts stays in work as long as the gram that begins
 * there is one that goes on.
 * @param texts by place in the chunk; undefined where there is no entry
 * @returns a generator that pauses every few milliseconds, so that its caller can let others go on
 */
export function* buildChunk(texts: readonly (Uint8Array | undefined)[]): Generator<void, ChunkParts> {
  const textStarts = startsOf(texts);
  const all = Buffer.concat(texts.filter((text) => text !== undefined));
  const { codes, bytes } = readAlphabet(all);
  const size = bytes.length;

  const grams = {
    bytes: [] as number[],
    rows: [] as number[],
    starts: [] as number[],
    firstChildren: [] as number[],
  };
  const postings: Uint8Array[] = [];
  let postingsLength = 0;

  // Where grams begin that are in work, and which one of the last level stands there.
  let count = all.length;
  const positions = new Uint32Array(count);
  for (let at = 0; at < count; at += 1) positions[at] = at;
  const parents = new Uint32Array(count);
  /** Indexes of the grams of the last level that go on; the empty one stands before all. */
  let ongoing: number[] = [-1];
  yield;

  for (let length = 1; ongoing.length > 0; length += 1) {
    // A slot is a gram of this level: its parent and its last byte.
    const rows = new Uint32Array(ongoing.length * size);
    const lastPlace = new Uint16Array(rows.length);
    let kept = 0;
    let place = 0;
    for (let index = 0; index < count; index += 1) {
      const position = positions[index] as number;
      const code = codes[all[position + length - 1] as number] as number;
      if (code === 0) continue;
      const slot = (parents[index] as number) * size + code - 1;
      while (position >= (textStarts[place + 1] as number)) place += 1;
      if (lastPlace[slot] !== place + 1) {
        lastPlace[slot] = place + 1;
        rows[slot] = (rows[slot] as number) + 1;
      }
      positions[kept] = position;
      parents[kept] = slot;
      kept += 1;
      if (index % STEP === STEP - 1) yield;
    }
    count = kept;

    const goingOn: number[] = [];
    /** By slot: its number among those that go on, and one; 0 where there is none. */
    const numbers = new Uint32Array(rows.length);
    /** By slot: where its next row goes, in bytes; odd in a bitmap; NOWHERE when its rows are those of its parent. */
    const cursors = new Uint32Array(rows.length).fill(NOWHERE);
    let levelBytes = 0;
    for (let slot = 0; slot < rows.length; slot += 1) {
      if (slot % size === 0) {
        const parent = ongoing[slot / size] as number;
        if (parent >= 0) grams.firstChildren[parent] = grams.rows.length;
      }
      const have = rows[slot] as number;
      if (have === 0) continue;
      const parent = ongoing[Math.floor(slot / size)] as number;
      const index = grams.rows.length;
      grams.bytes.push(bytes[slot % size] as number);
      grams.rows.push(have);
      grams.firstChildren.push(-1);
      if (parent >= 0 && grams.rows[parent] === have) {
        grams.starts.push(grams.starts[parent] as number);
      } else {
        grams.starts.push(postingsLength + levelBytes);
        const isBitmap = have >= BITMAP_FROM_ROWS;
        cursors[slot] = isBitmap ? levelBytes + 1 : levelBytes;
        levelBytes += isBitmap ? BITMAP_BYTES : have * PLACE_BYTES;
      }
      if (goesOn(length, have)) {
        goingOn.push(index);
        numbers[slot] = goingOn.length;
      }
    }
    yield;

    const level = new Uint8Array(levelBytes);
    lastPlace.fill(0);
    place = 0;
    kept = 0;
    for (let index = 0; index < count; index += 1) {
      const position = positions[index] as number;
      const slot = parents[index] as number;
      while (position >= (textStarts[place + 1] as number)) place += 1;
      if (lastPlace[slot] !== place + 1) {
        lastPlace[slot] = place + 1;
        const next = cursors[slot] as number;
        if (next !== NOWHERE) {
          if (next & 1) {
            const at = next - 1 + (place >>> 3);
            level[at] = (level[at] as number) | (1 << (place & 7));
          } else {
            level[next] = place & 0xff;
            level[next + 1] = place >>> 8;
            cursors[slot] = next + PLACE_BYTES;
          }
        }
      }
      const number = numbers[slot] as number;
      if (number !== 0) {
        positions[kept] = position;
        parents[kept] = number - 1;
        kept += 1;
      }
      if (index % STEP === STEP - 1) yield;
    }
    count = kept;
    postings.push(level);
    postingsLength += levelBytes;
    ongoing = goingOn;
  }

  return {
    textStarts,
    starts: Uint32Array.from(grams.starts),
    children: childrenOf(grams.firstChildren),
    rows: Uint16Array.from(grams.rows),
    bytes: Uint8Array.from(grams.bytes),
    postings,
    texts: all,
  };
}

const NOWHERE = 0xffffffff;

function startsOf(texts: readonly (Uint8Array | undefined)[]): Uint32Array {
  const starts = new Uint32Array(CHUNK_ROWS + 1);
  for (let place = 0; place < CHUNK_ROWS; place += 1) {
    starts[place + 1] = (starts[place] as number) + (texts[place]?.length ?? 0);
  }
  return starts;
}

/** Bytes that occur, and by byte its place among them and one; 0 for the end of a field. */
function readAlphabet(text: Uint8Array): { codes: Uint8Array; bytes: number[] } {
  const occurs = new Uint8Array(256);
  for (let at = 0; at < text.length; at += 1) occurs[text[at] as number] = 1;
  occurs[FIELD_END] = 0;
  const bytes = [...occurs.keys()].filter((byte) => occurs[byte] === 1);
  const codes = new Uint8Array(256);
  for (const [index, byte] of bytes.entries()) codes[byte] = index + 1;
  return { codes, bytes };
}

/** Children of a gram lie one after another, and those of the next gram behind them: where each one's begin. */
function childrenOf(firstChildren: readonly number[]): Uint32Array {
  const children = new Uint32Array(firstChildren.length + 1);
  children[firstChildren.length] = firstChildren.length;
  for (let index = firstChildren.length - 1; index >= 0; index -= 1) {
    const first = firstChildren[index] as number;
    children[index] = first === -1 ? (children[index + 1] as number) : first;
  }
  return children;
}
