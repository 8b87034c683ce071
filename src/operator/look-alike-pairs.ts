/**
 * Finds reported entries whose names look like a trusted name. The few trusted names are kept in memory; the reported ones
 * are iterated.
 */
import type { Database } from '../db/database.ts';
import type { ListKind } from '../entries/entry.ts';
import { hashesAsked, hashesOf } from '../lists/look-alike-hashes.ts';
import {
  compareToTrusted,
  findDifferences,
  spellName,
  type Difference,
  type Likeness,
  type Spelling,
} from '../text/look-alike.ts';
import { note, type Cli } from './console/cli.ts';
import { counted } from './console/outcome.ts';

export interface NamedEntry {
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
  readonly differs: readonly Pick<Difference, 'at' | 'from' | 'to'>[];
}

/** Pairs that are listed; the rest is counted. */
const LISTED_MAX = 50;

type Row = NamedEntry & { readonly isNew: number };

const SELECT = `SELECT list, chat_id AS id, name, report_id AS reportId,
    entry_id IN (SELECT entry_id FROM changes WHERE seq > @since) AS isNew
  FROM entries`;
const TRUSTED = `${SELECT} WHERE list = 'legit' AND verified = 1`;
const REPORTED = `${SELECT} WHERE list != 'legit'`;
const NEWLY_REPORTED = `${REPORTED} AND entry_id IN (SELECT entry_id FROM changes WHERE seq > @since)`;

/**
 * Pairs with different IDs.
 * @param since only pairs of which one was changed after this change
 */
export function* findLookAlikePairs(db: Database, since = 0): Generator<LookAlikePair> {
  const trusted = db.connection.prepare<unknown[], Row>(TRUSTED).all({ since });
  const spellings = new Map<Row, Spelling>(trusted.map((row) => [row, spellName(row.name)]));
  const byShape = new Map<number, Row[]>();
  for (const [row, spelling] of spellings) {
    for (const shape of hashesOf(spelling)) {
      const rows = byShape.get(shape);
      if (rows) rows.push(row);
      else byShape.set(shape, [row]);
    }
  }
  if (trusted.length === 0) return;
  // A trusted one that is new may look like any.
  const source = since > 0 && trusted.every(({ isNew }) => isNew === 0) ? NEWLY_REPORTED : REPORTED;
  for (const row of db.connection.prepare<unknown[], Row>(source).iterate({ since })) {
    const spelling = spellName(row.name);
    for (const other of new Set(hashesAsked(spelling).flatMap((shape) => byShape.get(shape) ?? []))) {
      if (other.id === row.id || (since > 0 && row.isNew + other.isNew === 0)) continue;
      const known = spellings.get(other) as Spelling;
      const why = compareToTrusted(spelling, known);
      if (!why) continue;
      const differs = findDifferences(spelling, known);
      yield { trusted: toEntry(other), reported: toEntry(row), why, differs };
    }
  }
}

function toEntry({ list, id, name, reportId }: Row): NamedEntry {
  return { list, id, name, reportId };
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

/** Warns on standard error about names that look like others after a change. Nothing is refused. */
export function printLookAlikes(cli: Cli, pairs: readonly LookAlikePair[]): void {
  for (const line of describePairs(pairs)) note(cli, line);
}
