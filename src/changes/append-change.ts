/** The change log, which list indexes, caches and mirrors follow. It holds references only, never texts. */
import { build, given, type Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';

export const CHANGE_OPS = ['added', 'updated', 'removed'] as const;
export type ChangeOp = (typeof CHANGE_OPS)[number];

/** Call it in the transaction that makes the change. */
export function appendChange(
  db: Database,
  change: { at: number; op: ChangeOp; list: Tables['changes']['list']; entryId: string },
): number {
  const { at, op, list, entryId } = change;
  return Number(
    db.run(build.insertInto('changes').values({ at, op, list, entry_id: entryId })).lastInsertRowid,
  );
}

/** @param source SELECT of `op` and `entry_id`, in order; not by Kysely, which does not know temporary tables */
export function appendChangesFrom(db: Database, list: string, at: number, source: string): void {
  db.statement(`INSERT INTO changes (at, op, list, entry_id) SELECT ?, op, ?, entry_id FROM (${source})`).run(
    at,
    list,
  );
}

export function readLastChange(db: Database, list: string): number {
  return db.first(LAST_CHANGE, { list })?.seq ?? 0;
}

const LAST_CHANGE = build
  .selectFrom('changes')
  .select(({ fn }) => fn.max('seq').as('seq'))
  .where('list', '=', given('list'))
  .compile();
