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
import { listOf } from './ready-entry.ts';

const BLOCKS = 4;
const TELLING_BITS = 0x7fff;
/** Odd, and 2³² by the golden ratio: neighbours are spread over all 32 bits. */
const GOLDEN = 0x9e3779b1;
const ASCII = /^[\0-\x7f]*$/;

/** What of an entry its shapes follow from. */
export interface Shaped {
  readonly row: number;
  readonly flags: number;
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

/** Shapes of parts of the key, as the file holds them. */
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

/** What the file holds of an entry: shape, is_reported, told, row. */
function* rowsOf({ row, flags, name }: Shaped): Generator<[number, number, number | string, number]> {
  const spelling = spellName(name);
  const reported = listOf(flags) === 'legit' ? 0 : 1;
  for (const shape of wholeShapes(spelling)) yield [shape, reported, tellingNumber(spelling.folded), row];
  for (const { shape, rest } of partShapes(spelling)) yield [shape, reported, rest, row];
}

export function addShapes(db: Database, entry: Shaped): void {
  const add = db.statement(INSERT);
  for (const values of rowsOf(entry)) add.run(values);
}

export function removeShapes(db: Database, entry: Shaped): void {
  const remove = db.statement(
    'DELETE FROM shapes WHERE shape = ? AND is_reported = ? AND told = ? AND row = ?',
  );
  for (const values of rowsOf(entry)) remove.run(values);
}

/** Of all entries that are placed; sorted before, because rows in any order would be written all over the table. */
export function makeShapes(db: Database): void {
  db.connection.exec('CREATE TEMP TABLE drafts (shape INTEGER, is_reported INTEGER, told, row INTEGER)');
  const draft = db.connection.prepare('INSERT INTO temp.drafts VALUES (?, ?, ?, ?)');
  const read = db.connection.prepare<unknown[], Shaped>(
    'SELECT row, flags, name FROM placed WHERE row > ? ORDER BY row LIMIT ?',
  );
  for (let after = 0; ;) {
    const entries = read.all(after, READ_ROWS);
    for (const entry of entries) for (const values of rowsOf(entry)) draft.run(values);
    const last = entries.at(-1);
    if (!last) break;
    after = last.row;
  }
  db.connection
    .exec(`INSERT OR IGNORE INTO shapes SELECT * FROM temp.drafts ORDER BY shape, is_reported, told, row;
    DROP TABLE temp.drafts`);
}

const INSERT = 'INSERT OR IGNORE INTO shapes (shape, is_reported, told, row) VALUES (?, ?, ?, ?)';
/** Entries that are read at once. */
const READ_ROWS = 10_000;
