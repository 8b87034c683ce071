/**
 * Removals: what was withdrawn on purpose, by the verbs `entry remove`, `entry edit --redact`, `proofs remove` and
 * `proofs private`, or by an import that makes proofs private. A backup still has it, and its restore must not bring it back.
 * What an edit or an import replaced is no removal: a restore brings it back. The name of a log and the number of a change in it
 * identify a removal. They are never given twice, because a restore renews the name, so that a backup knows exactly the
 * removals in its own table; clocks have no say in it.
 */
import { build, compileOnce, given } from '../db/database.ts';
import type { Database } from '../db/database.ts';
import { findProperty, setProperty } from '../db/properties.ts';
import { readLogHead } from './log-head.ts';

export const REMOVAL_KINDS = ['entry', 'returned', 'name', 'reason', 'proofs', 'private'] as const;
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

const EARLIER_LOGS_PROPERTY = 'earlier_logs';

/** Belongs into the transaction that removes, after the change is appended. */
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

/** In order of what happened. @param after number of a removal; later ones are listed */
export function listRemovals(db: Database, after = 0): (Removal & { readonly removal: number })[] {
  return db.all(
    build
      .selectFrom('removals')
      .select(['removal', 'at', 'list', 'entry_id as entryId', 'what', 'reason_code as reasonCode'])
      .select(['history', 'change'])
      .where('removal', '>', after)
      .orderBy('removal'),
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

/** The number of exactly this removal; undefined when it is not in the table, or a later one took its place. */
export function findRemovalNumber(db: Database, removal: Removal): number | undefined {
  const { entryId, what, history, change } = removal;
  const same = build.selectFrom('removals').select('removal').where('entry_id', '=', entryId);
  const exact = same.where('what', '=', what).where('history', '=', history).where('change', '=', change);
  return db.first(exact)?.removal;
}

/** Removals that the database did not see: they were made after it was copied, or in another log. */
export function unknownRemovals(db: Database, removals: readonly Removal[]): Removal[] {
  return removals.filter(
    ({ entryId, what, history, change }) => !db.first(KNOWN, { entryId, what, history, change }),
  );
}

const KNOWN = compileOnce(
  build
    .selectFrom('removals')
    .select('removal')
    .where('entry_id', '=', given('entryId'))
    .where('what', '=', given('what'))
    .where('history', '=', given('history'))
    .where('change', '>=', given('change')),
);

/** Names of the database's change log and of the logs that it comes from. */
export function listLogs(db: Database): string[] {
  const earlier = findProperty(db, EARLIER_LOGS_PROPERTY)?.split(' ') ?? [];
  return [readLogHead(db).history, ...earlier];
}

/**
 * For a restored database on which all of these were applied: from now on it knows them.
 * @param logs names of the logs of the backup and of the replaced database
 */
export function adoptRemovals(db: Database, removals: readonly Removal[], logs: readonly string[]): void {
  db.write(() => {
    db.run(build.deleteFrom('removals'));
    for (const removal of removals) insertRemoval(db, removal);
    setProperty(db, EARLIER_LOGS_PROPERTY, [...new Set(logs)].join(' '));
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
