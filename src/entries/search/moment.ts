import type { Database } from '../../db/database.ts';

/** What tells two states of a database apart for the search. */
export interface Moment {
  /** Name of the change log; another one after a backup was restored. */
  readonly history: string;
  /** Number of the newest change; 0 when there is none. */
  readonly seq: number;
  /** Which alphabet the names are ordered by. */
  readonly collation: string;
  /** Grows when views have been counted. */
  readonly popularity: string;
}

export function readMoment(db: Database): Moment {
  const row = db.statement<Moment>(MOMENT).get();
  if (!row) throw new Error('the database has no properties');
  return row;
}

const property = (key: string): string =>
  `coalesce((SELECT value FROM properties WHERE key = '${key}'), '') AS ${key}`;
const MOMENT = `SELECT coalesce((SELECT max(seq) FROM changes), 0) AS seq, ${['history', 'collation', 'popularity'].map(property).join(', ')}`;

export interface ChangedRow {
  readonly row: number;
  /** Its newest change. */
  readonly seq: number;
  /** 1 when it was added since: the row may have been another entry's before. */
  readonly added: number;
}

/** Entries that changed after this place of the log, where they are still there. */
export function listChangedRows(db: Database, after: number): ChangedRow[] {
  return db
    .statement<ChangedRow>(
      `SELECT entries.row AS row, max(changes.seq) AS seq, max(changes.op = 'added') AS added
       FROM changes JOIN entries USING (entry_id) WHERE changes.seq > ? GROUP BY entries.row`,
    )
    .all(after);
}
