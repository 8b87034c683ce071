/**
 * Texts withdrawn on purpose, which `restore` must not bring back; texts that an edit or import replaced are others. The
 * name of the log and a change number identify a removal, and are never used twice.
 */
import { build, given, type Database } from '../db/database.ts';
import { findProperty, setProperty } from '../db/properties.ts';
import type { RemovalReason } from './removal-reasons.ts';
import { readLogHead } from './log-head.ts';

export const REMOVAL_KINDS = ['entry', 'returned', 'name', 'reason', 'proofs', 'private'] as const;
export type RemovalKind = (typeof REMOVAL_KINDS)[number];

export interface Removal {
  readonly at: number;
  readonly list: string;
  readonly entryId: string;
  readonly what: RemovalKind;
  readonly reasonCode: string | null;
  /** Name of the change log, and its newest change at the time of the removal. */
  readonly history: string;
  readonly change: number;
}

const EARLIER_LOGS_PROPERTY = 'earlier_logs';

/** Call it in the transaction that removes, after the change is appended. */
export function recordRemoval(
  db: Database,
  removal: Pick<Removal, 'at' | 'list' | 'entryId' | 'what' | 'reasonCode'>,
): void {
  const { history, seq: change } = readLogHead(db);
  insertRemoval(db, { ...removal, history, change });
}

export function findEntryRemoval(db: Database, entryId: string) {
  return db.first(
    build
      .selectFrom('removals')
      .select(['at', 'reason_code as reasonCode'])
      .where('entry_id', '=', entryId)
      .where('what', '=', 'entry')
      .orderBy('removal', 'desc')
      .$narrowType<{ reasonCode: RemovalReason }>(),
  );
}

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

/** The newest removal of each entry, kind and log. @param removals one or several sources, each oldest first */
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

/** Removals made after the database was copied, or in another log. */
export function unknownRemovals(db: Database, removals: readonly Removal[]): Removal[] {
  return removals.filter(
    ({ entryId, what, history, change }) => !db.first(KNOWN, { entryId, what, history, change }),
  );
}

const KNOWN = build
  .selectFrom('removals')
  .select('removal')
  .where('entry_id', '=', given('entryId'))
  .where('what', '=', given('what'))
  .where('history', '=', given('history'))
  .where('change', '>=', given('change'))
  .compile();

export function listLogs(db: Database): string[] {
  const earlier = findProperty(db, EARLIER_LOGS_PROPERTY)?.split(' ') ?? [];
  return [readLogHead(db).history, ...earlier];
}

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
