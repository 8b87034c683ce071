/** The change log, which list indexes, caches and mirrors follow. It holds references only, never texts. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { param, sqlBuilder, type Database, type Transaction } from '../db/database.ts';

export interface LogHead {
  /** The log's name. `restore` renews it, because a restored log gives the same numbers again. */
  readonly logId: string;
  readonly seq: number;
}

const LOG_ID_BYTES = 8;
const LOG_ID_PROPERTY = 'history';

export const selectLogHead = sqlBuilder
  .selectFrom('properties')
  .select('value as logId')
  .select((is) => {
    const newest = is.selectFrom('changes').select((changes) => changes.fn.max('seq').as('seq'));
    return is.fn.coalesce(newest, sql.lit(0)).as('seq');
  })
  .where('key', '=', sql.lit(LOG_ID_PROPERTY));
const HEAD = selectLogHead.$castTo<LogHead>().compile();

export function readLogHead(db: Database): LogHead {
  const head = db.first(HEAD);
  if (!head) throw new Error('the database does not name the log of its changes');
  return head;
}

/** An answer names a change at most this much later, and most answers need no statement for its time. */
const REFRESH_MS = 10;

const NEWEST = sqlBuilder.selectFrom('changes').select(['seq', 'at']).orderBy('seq', 'desc').limit(1);
const NEWEST_OF_ALL = NEWEST.compile();
const NEWEST_UP_TO = NEWEST.where('seq', '<=', param('upTo')).compile();

/** An answer asks before it reads its data, which may then be newer than it says, not older. */
export function createChangeClock(db: Database) {
  let newest: { readonly seq: number; readonly at: number } | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    /**
     * @param upTo the number of a change; default: the newest
     * @returns the time of the newest change up to it, or else of the database's creation, epoch milliseconds
     */
    dataAt(upTo = Number.POSITIVE_INFINITY): number {
      const now = performance.now();
      if (now - readAt >= REFRESH_MS) {
        newest = db.first(NEWEST_OF_ALL);
        readAt = now;
      }
      const change = newest && upTo < newest.seq ? db.first(NEWEST_UP_TO, { upTo }) : newest;
      return change?.at ?? readCreationTime(db);
    },
  };
}

/** @returns epoch milliseconds */
export function readCreationTime(db: Database): number {
  const first = db.statement<string>('SELECT min(timestamp) FROM kysely_migration').pluck().get();
  return Date.parse(first ?? '') || 0;
}

export function renewLogId(tx: Transaction): void {
  const value = randomBytes(LOG_ID_BYTES).toString('hex');
  tx.run(sqlBuilder.updateTable('properties').set({ value }).where('key', '=', LOG_ID_PROPERTY));
}

/** `_id`s, each once. */
export function listChangedEntries(db: Database, after: number, upTo: number): string[] {
  const changed = sqlBuilder.selectFrom('changes').select('entry_id').distinct();
  return db
    .all(changed.where('seq', '>', after).where('seq', '<=', upTo))
    .map(({ entry_id: entryId }) => entryId);
}

/** A cursor is a client's position in the log, opaque to clients. It never expires (prune-changes.ts). */
const CURSOR = /^([0-9a-f]{16})-(0|[1-9]\d{0,14})$/;

export function formatCursor({ logId, seq }: LogHead): string {
  return `${logId}-${seq}`;
}

export function parseCursor(text: string): LogHead | undefined {
  const [, logId, seq] = CURSOR.exec(text) ?? [];
  return logId === undefined ? undefined : { logId, seq: Number(seq) };
}

/** False for a cursor of another log: its client starts from the snapshots. */
export function isCursorValid(db: Database, { logId, seq }: LogHead): boolean {
  const head = readLogHead(db);
  return logId === head.logId && seq <= head.seq;
}
