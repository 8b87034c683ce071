/**
 * Pairs of a reported and a trusted entry with names that look alike, which `lookalikes`, imports and new entries name. Only
 * the few trusted ones are kept in memory. Another note is about chat IDs that another list has too: mostly a contradiction.
 */
import { param, sqlBuilder, type Database } from '../db/database.ts';
import type { ListKind } from '../entries/entry.ts';
import { hashesAsked, hashesOf } from '../lists/look-alike-hashes.ts';
import {
  compareToTrusted,
  findDifferences,
  normalizeName,
  type Difference,
  type Likeness,
  type NormalizedName,
} from '../text/look-alike.ts';
import { joinSome } from '../text/shorten.ts';
import { counted } from './console/outcome.ts';

interface NamedEntry {
  readonly list: ListKind;
  readonly id: string;
  readonly name: string;
  readonly reportId: string;
}

export interface LookAlikePair {
  readonly trusted: NamedEntry;
  readonly reported: NamedEntry;
  readonly why: Likeness;
  /** The part of the reported name that differs from the trusted one. */
  readonly differs: readonly Difference[];
}

/** Pairs that are listed; the rest is counted. */
const LISTED_MAX = 50;

const entries = sqlBuilder
  .selectFrom('entries')
  .select(['list', 'chat_id as id', 'name', 'report_id as reportId']);
const changes = sqlBuilder.selectFrom('changes').select('entry_id').where('seq', '>', param('since'));
const CHANGED = entries.where('entry_id', 'in', changes).compile();
const TRUSTED = entries.where('list', '=', 'legit').where('verified', '=', 1).compile();
const reported = entries.where('list', '!=', 'legit');
const REPORTED = reported.compile();
const NEWLY_REPORTED = reported.where('entry_id', 'in', changes).compile();

interface NameIndex {
  readonly normalizedNames: ReadonlyMap<string, NormalizedName>;
  readonly byHash: ReadonlyMap<number, readonly { readonly name: string }[]>;
}

/** The trusted names of the call before, because the lines of a batch share them: 8,000 take 0.1 s. */
let lastIndex: NameIndex = { normalizedNames: new Map(), byHash: new Map() };

function indexNames(names: ReadonlySet<string>): NameIndex {
  if (names.symmetricDifference(lastIndex.normalizedNames).size === 0) return lastIndex;
  const normalizedNames = new Map(Array.from(names, (name) => [name, normalizeName(name)]));
  const shapes = [...normalizedNames].flatMap(([name, normalized]) =>
    hashesOf(normalized).map((hash) => ({ hash, name })),
  );
  return (lastIndex = { normalizedNames, byHash: Map.groupBy(shapes, ({ hash }) => hash) });
}

/** Pairs with different IDs. @param since only pairs of which one was changed after this change */
export function* findLookAlikePairs(db: Database, since = 0): Generator<LookAlikePair> {
  const trusted = db.all(TRUSTED);
  if (trusted.length === 0) return;
  const byName = Map.groupBy(trusted, ({ name }) => name);
  const { normalizedNames, byHash } = indexNames(new Set(byName.keys()));
  const changed = since > 0 && new Set(db.all(CHANGED, { since }).map(({ reportId }) => reportId));
  const isNew = ({ reportId }: NamedEntry): boolean => !changed || changed.has(reportId);
  // A trusted one that is new may look like any.
  const { sql, parameters } = trusted.some(isNew) ? REPORTED : NEWLY_REPORTED;
  for (const entry of db.statement<NamedEntry>(sql).iterate(...parameters, { since })) {
    const normalized = normalizeName(entry.name);
    const alike = hashesAsked(normalized).flatMap((hash) => byHash.get(hash) ?? []);
    for (const name of new Set(alike.map((one) => one.name))) {
      const known = normalizedNames.get(name) as NormalizedName;
      const why = compareToTrusted(normalized, known);
      if (!why) continue;
      const differs = findDifferences(normalized, known);
      for (const other of byName.get(name) ?? [])
        if (other.id !== entry.id && (isNew(entry) || isNew(other)))
          yield { trusted: other, reported: entry, why, differs };
    }
  }
}

/** One line a pair, the first ones. */
export function describePairs(pairs: readonly LookAlikePair[], most = LISTED_MAX): string[] {
  const lines = pairs.slice(0, most).map(describePair);
  return pairs.length > most ? [...lines, `… and ${counted(pairs.length - most, 'more pair')}`] : lines;
}

function describePair({ trusted, reported, why, differs }: LookAlikePair): string {
  const reasons = differs.map(({ from, to }) => `${visible(to)} instead of ${visible(from)}`);
  return (
    `${reported.list} ${reported.id} ${JSON.stringify(reported.name)} looks like ` +
    `the trusted ${trusted.id} ${JSON.stringify(trusted.name)}: ${[why, ...reasons].join(', ')}`
  );
}

/** Letters of other scripts look the same here too. */
function visible(part: string): string {
  if (part === '') return 'nothing';
  if (/^ +$/.test(part)) return 'a space';
  if (/^[!-~]+$/.test(part)) return part;
  const codes = Array.from(part, (point) => (point.codePointAt(0) ?? 0).toString(16).toUpperCase());
  return /^[\p{L}\p{N}\p{P}]+$/u.test(part) ? `${part} (U+${codes.join(' U+')})` : `U+${codes.join(' U+')}`;
}

/** Says which entries that were written after a change are in another list too. @returns a sentence a list */
export function describeOtherLists(db: Database, since: number): string[] {
  const found = db.all(
    sqlBuilder
      .selectFrom('changes')
      .innerJoin('entries as written', 'written.entry_id', 'changes.entry_id')
      .innerJoin('entries as other', 'other.chat_id', 'written.chat_id')
      .select(['written.chat_id', 'other.list'])
      .distinct()
      .where('seq', '>', since)
      .whereRef('other.row', '!=', 'written.row')
      .orderBy('other.list')
      .orderBy('written.chat_id'),
  );
  return [...Map.groupBy(found, (row) => row.list)].map(([list, rows]) => {
    const ids = joinSome(rows.map((row) => row.chat_id));
    return `${list} has ${counted(rows.length, 'entry', 'entries')} with the same ID: ${ids}`;
  });
}
