/** Deletes superseded updates. The first and last change of an entry and every removal stay. */
import { build, type Database } from '../db/database.ts';

export const LOG_DAYS = 90;
const DAY_MS = 86_400_000;
/** Deleting these holds the lock for half a second; the rest waits for the next call. */
const PRUNED_MAX = 50_000;

/** @returns the number of deleted changes */
export function pruneChanges(db: Database, now: number): number {
  const superseded = build
    .selectFrom('changes')
    .select('seq')
    .where('at', '<', now - LOG_DAYS * DAY_MS)
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
    .limit(PRUNED_MAX);
  return db.run(build.deleteFrom('changes').where('seq', 'in', superseded)).changes;
}
