/**
 * What was withdrawn: entries and proofs that were removed, proofs that were made private, reasons that were replaced.
 * A backup still holds them, and its restore must not bring them back. Each removal names the change that made it, so
 * that a backup tells by its own log what it knows of; clocks have no say in it.
 */
import { build } from '../db/database.ts';
import type { Database } from '../db/database.ts';
import { findProperty, setProperty } from '../db/properties.ts';
import { readLogHead } from './log-head.ts';

export const REMOVAL_KINDS = ['entry', 'returned', 'reason', 'proofs', 'private'] as const;
export type RemovalKind = (typeof REMOVAL_KINDS)[number];

export interface Removal {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly list: string;
  /** SPEC `_id`. */
  readonly entryId: string;
  readonly what: RemovalKind;
  /** Why an entry was removed; null for everything else. */
  readonly reasonCode: string | null;
  /** Name of the change log, and its newest change when this happened. */
  readonly history: string;
  readonly change: number;
}

/** By history, the change up to which its removals are known. */
type Lineage = Readonly<Record<string, number>>;

const LINEAGE_PROPERTY = 'removals_known';

/** Belongs into the transaction that removes, behind the change that tells of it. */
export function recordRemoval(
  db: Database,
  removal: Pick<Removal, 'at' | 'list' | 'entryId' | 'what' | 'reasonCode'>,
): void {
  insertRemoval(db, { ...removal, ...headOf(db) });
}

/**
 * Many removals of one kind at once, as recordRemoval.
 * @param source a SELECT of `entry_id`; of temporary tables, which Kysely does not know
 */
export function recordRemovalsFrom(
  db: Database,
  { at, list, what }: Pick<Removal, 'at' | 'list' | 'what'>,
  source: string,
): void {
  db.statement(
    `INSERT OR REPLACE INTO removals (at, list, entry_id, what, history, change)
     SELECT @at, @list, entry_id, @what, @history, @change FROM (${source})`,
  ).run({ at, list, what, ...headOf(db) });
}

/** @param after number of a removal, to read those behind it; in order of what happened */
export function listRemovals(db: Database, after = 0): (Removal & { readonly removal: number })[] {
  return db.all(
    build
      .selectFrom('removals')
      .select(['removal', 'at', 'list', 'entry_id as entryId', 'what', 'reason_code as reasonCode'])
      .select(['history', 'change'])
      .where('removal', '>', after)
      .orderBy('removal')
      .$castTo<Removal & { removal: number }>(),
  );
}

/**
 * The newest of each entry, kind and history; what several sources say is said once.
 * @param removals each source of them in order of what happened
 */
export function newestRemovals(removals: readonly Removal[]): Removal[] {
  const newest = new Map<string, Removal>();
  for (const removal of removals) {
    const key = `${removal.entryId} ${removal.what} ${removal.history}`;
    const before = newest.get(key);
    if (before && before.change > removal.change) continue;
    newest.delete(key);
    newest.set(key, removal);
  }
  return [...newest.values()];
}

/** Those that the database knows nothing of: they happened after it was copied, or in another line. */
export function unknownRemovals(db: Database, removals: readonly Removal[]): Removal[] {
  const known = readLineage(db);
  return removals.filter(({ history, change }) => change > (known[history] ?? -1));
}

/** What the database and its predecessors have seen; itself too. */
export function readLineage(db: Database): Lineage {
  const { history, seq } = readLogHead(db);
  const known = findProperty(db, LINEAGE_PROPERTY);
  return { ...(known !== undefined && (JSON.parse(known) as Lineage)), [history]: seq };
}

/**
 * For a restored database on which all of these were applied: from now on it knows them, and what the replaced one knew.
 * @param others lineages of the replaced database and of the backup
 */
export function adoptRemovals(db: Database, removals: readonly Removal[], others: readonly Lineage[]): void {
  const known: Record<string, number> = {};
  const seen = [
    ...[readLineage(db), ...others].flatMap((lineage) => Object.entries(lineage)),
    ...removals.map(({ history, change }): [string, number] => [history, change]),
  ];
  for (const [history, change] of seen) known[history] = Math.max(known[history] ?? 0, change);
  db.write(() => {
    db.run(build.deleteFrom('removals'));
    for (const removal of removals) insertRemoval(db, removal);
    setProperty(db, LINEAGE_PROPERTY, JSON.stringify(known));
  });
}

function insertRemoval(db: Database, removal: Removal): void {
  const { at, list, entryId, what, reasonCode, history, change } = removal;
  const row = { at, list, entry_id: entryId, what, reason_code: reasonCode, history, change };
  db.run(build.replaceInto('removals').values(row));
}

function headOf(db: Database): Pick<Removal, 'history' | 'change'> {
  const { history, seq } = readLogHead(db);
  return { history, change: seq };
}
