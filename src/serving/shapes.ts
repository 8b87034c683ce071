/**
 * How names that look alike are found by an index: each name has some numbers, its shapes, and names that look alike have
 * one in common. One is of the whole key (look-alike-key.ts), for keys that are equal. A longer name has five more. Four are
 * of the key less one of four blocks: what is added, left out or another letter lies in one block only. One is of the
 * letters of the key in whatever order, for two that are swapped. So a look is some fifteen probes of an index, and a name
 * takes six rows of some fifteen bytes; all that one could get by leaving out one letter would be three times as many.
 */
import { crc32 } from 'node:zlib';
import type { Database } from '../db/database.ts';
import { lookAlikeKey } from '../text/look-alike-key.ts';
import { isLong, keysWithoutAffix, spellName } from '../text/look-alike.ts';
import type { Spelling } from '../text/look-alike.ts';
import type { ListKind } from '../entries/entry.ts';
import { IS_PUBLIC } from '../entries/published.ts';

const BLOCKS = 4;
const TELLING_BITS = 0x7fff;
/** Odd, and 2³² by the golden ratio: neighbours are spread over all 32 bits. */
const GOLDEN = 0x9e3779b1;
const ASCII = /^[\0-\x7f]*$/;

/** What of an entry its shapes follow from. */
interface Shaped {
  readonly row: number;
  readonly list: ListKind;
  readonly name: string;
}

/**
 * Shapes of the whole key. Mostly one: letters of other scripts may be taken for others in small than in capitals, and the
 * same name in other case has to be found.
 */
export function wholeShapes({ name, folded, key }: Spelling): number[] {
  if (key === '') return [];
  const other = ASCII.test(name) ? key : lookAlikeKey(folded);
  return other === key || other === '' ? [toShape(key)] : [toShape(key), toShape(other)];
}

/** A shape of a part of a key, and the rest of that key. */
export interface PartShape {
  readonly shape: number;
  readonly rest: string;
}

/** Shapes of parts of the key, as the table holds them. */
function partShapes(spelling: Spelling): PartShape[] {
  const { key } = spelling;
  if (!isLong(spelling)) return [];
  const shapes = [unorderedShape(key)];
  for (let block = 0; block < BLOCKS; block++) {
    const [from, to] = blockOf(key.length, block);
    shapes.push(partShape(key, key.length, block, from, to));
  }
  return shapes;
}

/** The shapes of parts of all keys that are one edit from this one, each with the rest of this one. */
export function shapesOneEditAway(spelling: Spelling): PartShape[] {
  const { key, digits } = spelling;
  if (!isLong(spelling)) return [];
  const shapes = [unorderedShape(key)];
  for (const length of [key.length - 1, key.length, key.length + 1]) {
    for (let block = 0; block < BLOCKS; block++) {
      const [from, blockEnd] = blockOf(length, block);
      const to = blockEnd + key.length - length;
      // An edit of digits is none; only a letter may be added between them.
      if (length <= key.length && isNumber(digits, from, to)) continue;
      shapes.push(partShape(key, length, block, from, to));
    }
  }
  return shapes;
}

function isNumber(digits: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (digits[at] === 0) return false;
  return true;
}

/** Shapes of the whole keys of trusted names that this one may be, with a word or a number around it. */
export function shapesWithoutAffix(spelling: Spelling): number[] {
  return keysWithoutAffix(spelling).map(toShape);
}

/** Units from and to. */
function blockOf(length: number, block: number): [number, number] {
  return [Math.floor((length * block) / BLOCKS), Math.floor((length * (block + 1)) / BLOCKS)];
}

/** @param length of the key that is looked for. @param to where in this key the block ends */
function partShape(key: string, length: number, block: number, from: number, to: number): PartShape {
  const shape = toShape(`${length} ${block} ${key.slice(0, from)} ${key.slice(to)}`);
  return { shape, rest: key.slice(from, to) };
}

/** The same for all keys of the same units: a sum does not know their order. */
function unorderedShape(key: string): PartShape {
  let shape = 0;
  for (let at = 0; at < key.length; at++) {
    const mixed = Math.imul(key.charCodeAt(at), GOLDEN);
    shape = (shape + Math.imul(mixed ^ (mixed >>> 15), GOLDEN)) | 0;
  }
  return { shape, rest: key };
}

/** 32 bits. */
function toShape(text: string): number {
  return crc32(text) | 0;
}

/** A short number for a folded name. */
export function tellingNumber(folded: string): number {
  return crc32(folded) & TELLING_BITS;
}

/** All shapes of a name: one that looks like it has one of these among its `shapesAsked`. */
export function shapesOf(spelling: Spelling): number[] {
  return [...wholeShapes(spelling), ...partShapes(spelling).map(({ shape }) => shape)];
}

/** All shapes that a name may have which looks like this one. */
export function shapesAsked(spelling: Spelling): number[] {
  return [
    ...wholeShapes(spelling),
    ...shapesOneEditAway(spelling).map(({ shape }) => shape),
    ...shapesWithoutAffix(spelling),
  ];
}

/** The rows of an entry in the table: shape, is_reported, told, row. */
function* rowsOf({ row, list, name }: Shaped): Generator<[number, number, number | string, number]> {
  const spelling = spellName(name);
  const reported = list === 'legit' ? 0 : 1;
  for (const shape of wholeShapes(spelling)) yield [shape, reported, tellingNumber(spelling.folded), row];
  for (const { shape, rest } of partShapes(spelling)) yield [shape, reported, rest, row];
}

/** Reads the entries of these rows as they are now. */
export function writeShapes(db: Database, rows: readonly number[]): void {
  const wanted = JSON.stringify(rows);
  db.statement('DELETE FROM shapes WHERE row IN (SELECT value FROM json_each(?))').run(wanted);
  const add = db.statement(
    'INSERT OR IGNORE INTO shapes (shape, is_reported, told, row) VALUES (?, ?, ?, ?)',
  );
  const entries = db.statement<Shaped>(
    `SELECT row, list, name FROM entries WHERE ${IS_PUBLIC} AND row IN (SELECT value FROM json_each(?))`,
  );
  for (const entry of entries.all(wanted)) for (const values of rowsOf(entry)) add.run(values);
}
