/** How far a follower of the change log has come; kept in the database, so that it outlives the worker. */
import type { Database } from '../db/database.ts';
import type { LogHead } from './log-head.ts';

/**
 * @returns the change up to which everything is worked off; undefined when it never ran, or ran on another history or
 *   on changes that are no longer there: what it has made is worth nothing then
 */
export function findProgress(db: Database, follower: string, head: LogHead): number | undefined {
  const row = db
    .statement<LogHead>('SELECT history, seq FROM change_progress WHERE follower = ?')
    .get(follower);
  return row && row.history === head.history && row.seq <= head.seq ? row.seq : undefined;
}

/** Belongs into a transaction of the lease. */
export function recordProgress(db: Database, follower: string, { history, seq }: LogHead): void {
  db.statement(
    `INSERT INTO change_progress (follower, history, seq) VALUES (@follower, @history, @seq)
     ON CONFLICT (follower) DO UPDATE SET history = @history, seq = @seq`,
  ).run({ follower, history, seq });
}
