/** Deletes superseded updates. The first and last change of an entry and every removal stay. */
import { setImmediate } from 'node:timers/promises';
import { sqlBuilder, param, paramList, type Database } from '../db/database.ts';
import { DAY_MS } from '../text/calendar.ts';

export const LOG_DAYS = 90;
const STEP = 5_000;

/** @returns the number of deleted changes */
export async function pruneChanges(db: Database, write: Database['write'], now: number): Promise<number> {
  // Outside the write lock, because it reads the whole log.
  const superseded = db.all(SUPERSEDED, { before: now - LOG_DAYS * DAY_MS }).map(({ seq }) => seq);
  for (let from = 0; from < superseded.length; from += STEP) {
    const seqs = JSON.stringify(superseded.slice(from, from + STEP));
    write((tx) => tx.run(DELETE, { seqs }));
    await setImmediate();
  }
  return superseded.length;
}

const SUPERSEDED = sqlBuilder
  .selectFrom('changes')
  .select('seq')
  .where('at', '<', param('before'))
  .where('op', '=', 'updated')
  .where((outer) =>
    outer.exists(
      outer
        .selectFrom('changes as later')
        .select('later.seq')
        .whereRef('later.entry_id', '=', 'changes.entry_id')
        .whereRef('later.seq', '>', 'changes.seq'),
    ),
  )
  .compile();
const DELETE = sqlBuilder.deleteFrom('changes').where('seq', 'in', paramList('seqs')).compile();
