/**
 * The verb `lookalikes`, and what imports and new entries note: reported entries whose names look like a trusted name, of which only the few trusted ones are kept in memory, and entries
 * whose chat ID another list has too: mostly a contradiction.
 */
import type { Command } from 'commander';
import { sqlBuilder, type Database } from '../db/database.ts';
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
import { named } from '../text/shorten.ts';
import { print, type Cli } from './console/cli.ts';
import { openToRead } from './console/operator-database.ts';
import { listOption } from './console/options.ts';
import { counted } from './console/outcome.ts';

export function addVerbs(program: Command, cli: Cli): void {
  program
    .command('lookalikes')
    .description('list reported entries whose names look like a trusted one with another ID')
    .addOption(listOption())
    .action(async (options: { list?: ListKind }) => {
      const db = await openToRead(cli);
      const { list } = options;
      // Each pair has a trusted side.
      const pairs = [...findLookAlikePairs(db)].filter(
        ({ reported }) => list === undefined || list === 'legit' || reported.list === list,
      );
      const lines = describePairs(pairs, Number.POSITIVE_INFINITY);
      print(cli, pairs, [...lines, counted(pairs.length, 'pair')].join('\n'));
    });
}

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

interface NameIndex {
  readonly spellings: ReadonlyMap<string, Spelling>;
  readonly byShape: ReadonlyMap<number, readonly string[]>;
}

/** The trusted names of the call before, because the lines of a batch share them: 8,000 take 0.1 s. */
let lastIndex: NameIndex = { spellings: new Map(), byShape: new Map() };

function indexNames(names: ReadonlySet<string>): NameIndex {
  if (names.symmetricDifference(lastIndex.spellings).size === 0) return lastIndex;
  const spellings = new Map(Array.from(names, (name) => [name, spellName(name)]));
  const byShape = new Map<number, string[]>();
  for (const [name, spelling] of spellings) {
    for (const shape of hashesOf(spelling)) {
      const others = byShape.get(shape);
      if (others) others.push(name);
      else byShape.set(shape, [name]);
    }
  }
  return (lastIndex = { spellings, byShape });
}

/** Pairs with different IDs. @param since only pairs of which one was changed after this change */
export function* findLookAlikePairs(db: Database, since = 0): Generator<LookAlikePair> {
  const trusted = db.connection.prepare<unknown[], Row>(TRUSTED).all({ since });
  if (trusted.length === 0) return;
  const byName = Map.groupBy(trusted, ({ name }) => name);
  const { spellings, byShape } = indexNames(new Set(byName.keys()));
  // A trusted one that is new may look like any.
  const source = since > 0 && trusted.every(({ isNew }) => isNew === 0) ? NEWLY_REPORTED : REPORTED;
  for (const row of db.connection.prepare<unknown[], Row>(source).iterate({ since })) {
    const spelling = spellName(row.name);
    for (const name of new Set(hashesAsked(spelling).flatMap((shape) => byShape.get(shape) ?? []))) {
      const known = spellings.get(name) as Spelling;
      const why = compareToTrusted(spelling, known);
      if (!why) continue;
      const differs = findDifferences(spelling, known);
      for (const other of byName.get(name) ?? [])
        if (other.id !== row.id && (since === 0 || row.isNew + other.isNew > 0))
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
    const ids = named(rows.map((row) => row.chat_id));
    return `${list} has ${counted(rows.length, 'entry', 'entries')} with the same ID: ${ids}`;
  });
}
