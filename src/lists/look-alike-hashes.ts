/**
 * Similar names share a hash: of the whole key (look-alike-key.ts), or, for longer names, of the key without one of its
 * four blocks (a different letter lies in one block only) or of its letters in any order (swapped letters). Hashes of
 * all keys with one letter less would be three times as many.
 */
import { crc32 } from 'node:zlib';
import { sqlBuilder, param, paramList, type Transaction } from '../db/database.ts';
import { lookAlikeKey } from '../text/look-alike-key.ts';
import { isLong, keysWithoutAffix, normalizeName, type NormalizedName } from '../text/look-alike.ts';
import { isPublic } from '../entries/public-entry.ts';

const BLOCKS = 4;
const ASCII = /^[\0-\x7f]*$/;

/** A second hash is of the folded name's key, because some letters resemble others in lower case only. */
export function wholeHashes({ name, folded, key }: NormalizedName): number[] {
  if (key === '') return [];
  const other = ASCII.test(name) ? key : lookAlikeKey(folded);
  return other === key || other === '' ? [toHash(key)] : [toHash(key), toHash(other)];
}

interface PartHash {
  readonly hash: number;
  readonly rest: string;
}

/** @param isAsked also for keys with one letter more or less */
export function partHashes(normalized: NormalizedName, isAsked: boolean): PartHash[] {
  const { key, digits } = normalized;
  if (!isLong(normalized)) return [];
  const hashes = [{ hash: toHash(`sorted ${[...key].sort().join('')}`), rest: key }];
  for (const length of isAsked ? [key.length - 1, key.length, key.length + 1] : [key.length]) {
    for (let block = 0; block < BLOCKS; block++) {
      const from = Math.floor((length * block) / BLOCKS);
      const to = Math.floor((length * (block + 1)) / BLOCKS) + key.length - length;
      // Only a letter may be added between digits; other edits of digits do not count.
      if (isAsked && length <= key.length && !digits.subarray(from, to).includes(0)) continue;
      const hash = toHash(`${length} ${block} ${key.slice(0, from)} ${key.slice(to)}`);
      hashes.push({ hash, rest: key.slice(from, to) });
    }
  }
  return hashes;
}

export function toHash(text: string): number {
  return crc32(text) | 0;
}

/** A similar name has one of these among its `hashesAsked`. */
export function hashesOf(normalized: NormalizedName): number[] {
  return [...wholeHashes(normalized), ...partHashes(normalized, false).map(({ hash }) => hash)];
}

export function hashesAsked(normalized: NormalizedName): number[] {
  return [
    ...wholeHashes(normalized),
    ...partHashes(normalized, true).map(({ hash }) => hash),
    ...keysWithoutAffix(normalized).map(toHash),
  ];
}

export function writeLookAlikeHashes(tx: Transaction, rows: readonly number[]): void {
  const wanted = JSON.stringify(rows);
  tx.run(DELETE, { wanted });
  for (const { row, list, name } of tx.all(NAMED, { wanted })) {
    const normalized = normalizeName(name);
    const entry = { row, is_reported: list === 'legit' ? 0 : 1 };
    const detail = toHash(normalized.folded);
    for (const hash of wholeHashes(normalized)) tx.run(ADD, { ...entry, hash, detail });
    for (const { hash, rest } of partHashes(normalized, false)) tx.run(ADD, { ...entry, hash, detail: rest });
  }
}

const DELETE = sqlBuilder.deleteFrom('look_alike_hashes').where('row', 'in', paramList('wanted')).compile();
const PUBLIC = sqlBuilder
  .selectFrom('entries')
  .where('entries.row', 'in', paramList('wanted'))
  .where(isPublic);
const NAMED = PUBLIC.select(['row', 'list', 'name'])
  .unionAll(
    PUBLIC.innerJoin('former_names', 'former_names.row', 'entries.row')
      .select(['entries.row', 'list', 'former_names.name'])
      .where('list', '!=', 'legit'),
  )
  .compile();
const ADD = sqlBuilder
  .insertInto('look_alike_hashes')
  .orIgnore()
  .values({
    hash: param('hash'),
    is_reported: param('is_reported'),
    detail: param('detail'),
    row: param('row'),
  })
  .compile();
