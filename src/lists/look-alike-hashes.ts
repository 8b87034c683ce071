/**
 * Finds names that look alike by an index: each name has some hashes, and names that look alike have one in common. One
 * hash is of the whole key (look-alike-key.ts), for keys that are equal. A longer name has five more. Four are of the key
 * less one of four blocks: an added, missing or other letter lies in one block only. One is of the letters of the key in
 * any order, for two that are swapped. So a search probes the index some fifteen times, and a name takes six rows of some
 * fifteen bytes; hashes of all keys with one letter less would be three times as many.
 */
import { crc32 } from 'node:zlib';
import type { Selectable } from 'kysely';
import { build, compileOnce, given, givenList } from '../db/database.ts';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { lookAlikeKey } from '../text/look-alike-key.ts';
import { isLong, keysWithoutAffix, spellName } from '../text/look-alike.ts';
import type { Spelling } from '../text/look-alike.ts';
import type { ListKind } from '../entries/entry.ts';
import { isPublic } from '../entries/published.ts';

const BLOCKS = 4;
const CHECKSUM_BITS = 0x7fff;
/** Odd, and 2³² by the golden ratio: neighbours are spread over all 32 bits. */
const GOLDEN = 0x9e3779b1;
const ASCII = /^[\0-\x7f]*$/;

/** The fields of an entry that its hashes follow from. */
interface NamedEntry {
  readonly row: number;
  readonly list: ListKind;
  readonly name: string;
}

/**
 * Hashes of the whole key. Mostly one: letters of other scripts may be taken for others in small than in capitals, and the
 * same name in other case has to be found.
 */
export function wholeHashes({ name, folded, key }: Spelling): number[] {
  if (key === '') return [];
  const other = ASCII.test(name) ? key : lookAlikeKey(folded);
  return other === key || other === '' ? [toHash(key)] : [toHash(key), toHash(other)];
}

/** A hash of a part of a key, and the rest of that key. */
export interface PartHash {
  readonly hash: number;
  readonly rest: string;
}

/** Hashes of parts of the key, as the table holds them. */
function partHashes(spelling: Spelling): PartHash[] {
  const { key } = spelling;
  if (!isLong(spelling)) return [];
  const hashes = [unorderedHash(key)];
  for (let block = 0; block < BLOCKS; block++) {
    const [from, to] = blockOf(key.length, block);
    hashes.push(partHash(key, key.length, block, from, to));
  }
  return hashes;
}

/** The hashes of parts of all keys that are one edit from this one, each with the rest of this one. */
export function hashesOneEditAway(spelling: Spelling): PartHash[] {
  const { key, digits } = spelling;
  if (!isLong(spelling)) return [];
  const hashes = [unorderedHash(key)];
  for (const length of [key.length - 1, key.length, key.length + 1]) {
    for (let block = 0; block < BLOCKS; block++) {
      const [from, blockEnd] = blockOf(length, block);
      const to = blockEnd + key.length - length;
      // An edit of digits is none; only a letter may be added between them.
      if (length <= key.length && isNumber(digits, from, to)) continue;
      hashes.push(partHash(key, length, block, from, to));
    }
  }
  return hashes;
}

function isNumber(digits: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (digits[at] === 0) return false;
  return true;
}

/** Hashes of the whole keys of trusted names that this one may be, with a word or a number around it. */
export function hashesWithoutAffix(spelling: Spelling): number[] {
  return keysWithoutAffix(spelling).map(toHash);
}

/** Units from and to. */
function blockOf(length: number, block: number): [number, number] {
  return [Math.floor((length * block) / BLOCKS), Math.floor((length * (block + 1)) / BLOCKS)];
}

/** @param length of the key that is looked for. @param to where in this key the block ends */
function partHash(key: string, length: number, block: number, from: number, to: number): PartHash {
  const hash = toHash(`${length} ${block} ${key.slice(0, from)} ${key.slice(to)}`);
  return { hash, rest: key.slice(from, to) };
}

/** The same for all keys of the same units: a sum does not know their order. */
function unorderedHash(key: string): PartHash {
  let hash = 0;
  for (let at = 0; at < key.length; at++) {
    const mixed = Math.imul(key.charCodeAt(at), GOLDEN);
    hash = (hash + Math.imul(mixed ^ (mixed >>> 15), GOLDEN)) | 0;
  }
  return { hash, rest: key };
}

/** 32 bits. */
function toHash(text: string): number {
  return crc32(text) | 0;
}

/** A short number for a folded name. */
export function nameChecksum(folded: string): number {
  return crc32(folded) & CHECKSUM_BITS;
}

/** All hashes of a name: one that looks like it has one of these among its `hashesAsked`. */
export function hashesOf(spelling: Spelling): number[] {
  return [...wholeHashes(spelling), ...partHashes(spelling).map(({ hash }) => hash)];
}

/** All hashes that a name may have which looks like this one. */
export function hashesAsked(spelling: Spelling): number[] {
  return [
    ...wholeHashes(spelling),
    ...hashesOneEditAway(spelling).map(({ hash }) => hash),
    ...hashesWithoutAffix(spelling),
  ];
}

/** The rows of an entry in the table: hash, is_reported, detail, row. */
function rowsOf({ row, list, name }: NamedEntry): Selectable<Tables['look_alike_hashes']>[] {
  const spelling = spellName(name);
  const entry = { row, is_reported: list === 'legit' ? 0 : 1 };
  const detail = nameChecksum(spelling.folded);
  return [
    ...wholeHashes(spelling).map((hash) => ({ ...entry, hash, detail })),
    ...partHashes(spelling).map(({ hash, rest }) => ({ ...entry, hash, detail: rest })),
  ];
}

/** Reads the entries of these rows as they are now, with the names that they had before. */
export function writeLookAlikeHashes(db: Database, rows: readonly number[]): void {
  const wanted = JSON.stringify(rows);
  db.run(DELETE, { wanted });
  for (const entry of db.all(NAMED, { wanted })) for (const values of rowsOf(entry)) db.run(ADD, values);
}

const DELETE = compileOnce(build.deleteFrom('look_alike_hashes').where('row', 'in', givenList('wanted')));
const PUBLIC = build.selectFrom('entries').where('entries.row', 'in', givenList('wanted')).where(isPublic);
const NAMED = compileOnce(
  PUBLIC.select(['row', 'list', 'name']).unionAll(
    PUBLIC.innerJoin('former_names', 'former_names.row', 'entries.row')
      .select(['entries.row', 'list', 'former_names.name'])
      .where('list', '!=', 'legit'),
  ),
);
const ADD = compileOnce(
  build
    .insertInto('look_alike_hashes')
    .orIgnore()
    .values({
      hash: given('hash'),
      is_reported: given('is_reported'),
      detail: given('detail'),
      row: given('row'),
    }),
);
