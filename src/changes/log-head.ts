/** Where the change log stands, and which log it is. */
import { randomBytes } from 'node:crypto';
import type { Database } from '../db/database.ts';

export interface LogHead {
  /** Name of this log. A restored backup has another one: its next changes get numbers that were given before. */
  readonly history: string;
  /** Number of the newest change; 0 when there is none. */
  readonly seq: number;
}

const HISTORY_BYTES = 8;

export function readLogHead(db: Database): LogHead {
  const head = db
    .statement<LogHead>(
      `SELECT value AS history, (SELECT coalesce(max(seq), 0) FROM changes) AS seq
       FROM properties WHERE key = 'history'`,
    )
    .get();
  if (!head) throw new Error('the database does not know which history its changes belong to');
  return head;
}

/** For a database that was put back to an earlier state: what followed the old log must not go on with this one. */
export function renewHistory(db: Database): void {
  db.statement("UPDATE properties SET value = ? WHERE key = 'history'").run(
    randomBytes(HISTORY_BYTES).toString('hex'),
  );
}
