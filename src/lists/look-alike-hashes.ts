/**
 * Similar names share a hash: of the whole key (look-alike-key.ts), or, for longer names, of the key without one of its
 * four blocks (a different letter lies in one block only) or of its letters in any order (swapped letters). Hashes of
 * all keys with one letter less would be three times as many.
 */
import { crc32 } from 'node:zlib';
import { sqlBuilder, param, paramList, type Database, type Transaction } from '../db/database.ts';
import type { PublicSummary } from '../entries/entry.ts';
import { listFormerNames } from '../entries/former-names.ts';
import { isPublic, parseSummaries, readPublicColumn } from '../entries/public-entry.ts';
import { LOOK_ALIKES_MAX, type LookAlike } from '../entries/verdict.ts';
import { lookAlikeKey } from '../text/look-alike-key.ts';
import {
  compareNames,
  compareToTrusted,
  isLong,
  isOneEdit,
  keysWithoutAffix,
  LIKENESSES,
  normalizeName,
  type NormalizedName,
} from '../text/look-alike.ts';

const BLOCKS = 4;
/** A key of more reported entries is a common name; its warnings would be too frequent to be read. */
const COMMON_NAME_MAX = 20;
/** More than are shown, because some may be left out. */
const BUCKET_MAX = 25;
const ASCII = /^[\0-\x7f]*$/;

/** A second hash is of the folded name's key, because some letters resemble others in lower case only. */
function wholeHashes({ name, folded, key }: NormalizedName): number[] {
  if (key === '') return [];
  const other = ASCII.test(name) ? key : lookAlikeKey(folded);
  return other === key || other === '' ? [toHash(key)] : [toHash(key), toHash(other)];
}

interface PartHash {
  readonly hash: number;
  readonly rest: string;
}

/** @param isAsked also for keys with one letter more or less */
function partHashes(normalized: NormalizedName, isAsked: boolean): PartHash[] {
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

function toHash(text: string): number {
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

/** @param toShown finds the entry that stands for one in the answer, if any */
export function findLookAlikes(
  db: Database,
  asked: NormalizedName,
  toShown: (entry: PublicSummary) => PublicSummary | undefined,
): LookAlike[] {
  if (asked.key === '') return [];
  const rows = findCandidates(db, asked);
  const entries = parseSummaries(readPublicColumn(db, 'card', rows).toString());
  const ids = entries.map(({ _id }) => _id);
  const formerNames = listFormerNames(db, ids);
  const alike = entries.flatMap((entry): LookAlike[] => {
    // The name may have changed since its hashes were written.
    const normalized = normalizeName(entry.name);
    const compare = entry.list === 'legit' ? compareToTrusted : compareNames;
    const why = compare(asked, normalized);
    const former = formerNames.get(entry._id)?.map(({ name }) => normalizeName(name)) ?? [];
    const had = why === 'same_name' ? undefined : former.find(({ folded }) => folded === asked.folded);
    const found = had ? ({ why: 'former_name', normalized: had } as const) : why && { why, normalized };
    const shown = found && toShown(entry);
    return shown ? [{ entry: shown, ...found }] : [];
  });
  alike.sort(
    (one, other) =>
      Number(one.entry.list !== 'legit') - Number(other.entry.list !== 'legit') ||
      LIKENESSES.indexOf(one.why) - LIKENESSES.indexOf(other.why) ||
      other.entry.reportedAt - one.entry.reportedAt,
  );
  const isFirst = ({ entry }: LookAlike, at: number): boolean =>
    alike.findIndex((other) => other.entry._id === entry._id) === at;
  return alike.filter(isFirst).slice(0, LOOK_ALIKES_MAX);
}

function findCandidates(db: Database, asked: NormalizedName): number[] {
  const whole = wholeHashes(asked);
  const parts = partHashes(asked, true);
  const cores = keysWithoutAffix(asked).map(toHash);
  // One statement, because each takes longer than its look-ups.
  const hashes = JSON.stringify([...whole, ...parts.map(({ hash }) => hash), ...cores]);
  const groups = db.all(GROUPS, { hashes });
  const common = whole.filter((hash) => {
    const reported = groups.filter((group) => group.hash === hash && group.is_reported === 1);
    return reported.reduce((sum, { count }) => sum + count, 0) > COMMON_NAME_MAX;
  });
  const same = toHash(asked.folded);
  const similar = groups.filter(({ hash, is_reported: isReported, detail, count }) => {
    if (typeof detail === 'number') {
      if (isReported === 0) return true;
      return whole.includes(hash) && (!common.includes(hash) || detail === same);
    }
    if (isReported === 1 && count > COMMON_NAME_MAX) return false;
    return parts.some((part) => part.hash === hash && isOneEdit(part.rest, detail));
  });
  const rows = similar.flatMap(({ hash, is_reported: isReported, detail, count, row }) =>
    count === 1 ? [row] : db.all(BUCKET, { hash, isReported, detail }).map((entry) => entry.row),
  );
  return [...new Set(rows)];
}

const GROUPS = sqlBuilder
  .selectFrom('look_alike_hashes')
  .select(({ fn }) => [
    'hash',
    'is_reported',
    'detail',
    fn.countAll<number>().as('count'),
    fn.min('row').as('row'),
  ])
  .where('hash', 'in', paramList('hashes'))
  .groupBy(['hash', 'is_reported', 'detail'])
  .compile();
const BUCKET = sqlBuilder
  .selectFrom('look_alike_hashes')
  .select('row')
  .where('hash', '=', param('hash'))
  .where('is_reported', '=', param('isReported'))
  .where('detail', '=', param('detail'))
  .orderBy('row')
  .limit(BUCKET_MAX)
  .compile();
