/** The change log, which list indexes, caches and mirrors follow. It holds references only, never texts. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { sqlBuilder, type Database } from '../db/database.ts';

export interface LogHead {
  /** Name of the log. `restore` renews it, because a restored log gives the same numbers again. */
  readonly history: string;
  readonly seq: number;
}

const HISTORY_BYTES = 8;

export const logHead = sqlBuilder
  .selectFrom('properties')
  .select('value as history')
  .select((is) => {
    const newest = is.selectFrom('changes').select((changes) => changes.fn.max('seq').as('seq'));
    return is.fn.coalesce(newest, sql.lit(0)).as('seq');
  })
  .where('key', '=', sql.lit('history'));
const HEAD = logHead.$castTo<LogHead>().compile();

export function readLogHead(db: Database): LogHead {
  const head = db.first(HEAD);
  if (!head) throw new Error('the database does not know which history its changes belong to');
  return head;
}

export function renewHistory(db: Database): void {
  const value = randomBytes(HISTORY_BYTES).toString('hex');
  db.run(sqlBuilder.updateTable('properties').set({ value }).where('key', '=', 'history'));
}

/** `_id`s, each once. */
export function listChangedEntries(db: Database, after: number, upTo: number): string[] {
  const changed = sqlBuilder.selectFrom('changes').select('entry_id').distinct();
  return db
    .all(changed.where('seq', '>', after).where('seq', '<=', upTo))
    .map(({ entry_id: entryId }) => entryId);
}
