/** Appeals against reported entries; write-appeal.ts writes them. The newest of an entry is public, as plain text. */
import { param, sqlBuilder, type Database } from '../db/database.ts';
import { daysBetween } from '../text/calendar.ts';
import type { Appeal } from './entry.ts';

/** The newest of an entry. @param row of the entry */
export function findAppeal(db: Database, row: number): Appeal | null {
  return db.first(NEWEST, { row }) ?? null;
}

/** Oldest first; times are epoch milliseconds. */
export function listOpenAppeals(db: Database) {
  return db.all(OPEN);
}

/** @param days within which an appeal is to be answered, by the calendar in Poland */
export function listOverdueAppeals(db: Database, days: number, now: number) {
  return listOpenAppeals(db).filter(({ openedAt }) => daysBetween(openedAt, now) > days);
}

const NEWEST = sqlBuilder
  .selectFrom('appeals')
  .select(['opened_at as openedAt', 'decided_at as decidedAt', 'note'])
  .where('row', '=', param('row'))
  .orderBy('appeal', 'desc')
  .compile();
const OPEN = sqlBuilder
  .selectFrom('appeals')
  .innerJoin('entries', 'entries.row', 'appeals.row')
  .select(['list', 'chat_id as id', 'name', 'report_id as reportId', 'opened_at as openedAt'])
  .where('decided_at', 'is', null)
  .orderBy('opened_at')
  .orderBy('appeal')
  .compile();
