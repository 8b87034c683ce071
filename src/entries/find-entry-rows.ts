import { sql } from 'kysely';
import { sqlBuilder, param, type Database } from '../db/database.ts';
import { foldText } from '../text/fold-text.ts';
import { joinSome } from '../text/shorten.ts';
import { OperatorError } from '../operator-error.ts';
import type { EntryRow } from './entry-row.ts';
import type { ListKind } from './entry.ts';
import { selectEntriesWithReason, type EntryWithReason } from './export-records.ts';
import { findMistakenId } from './parse-check-input.ts';

/**
 * @param identifier its chat ID, its report number in any case, or its `_id`
 * @throws {OperatorError} when the list has no such entry
 */
export function getEntryRow(db: Database, list: ListKind, identifier: string): EntryWithReason {
  const row = findEntryRow(db, list, identifier);
  if (!row) throw notFoundError(db, list, identifier);
  return row;
}

/** Its message names entries that have the identifier as their nick, for which it reads all nicks. */
export function notFoundError(db: Database, list: ListKind, identifier: string): OperatorError {
  const sameNick = listEntryRowsByNick(db, identifier, list);
  const found = sameNick.map((entry) => `${entry.chat_id} (${entry.report_id})`);
  const mistake = findMistakenId(identifier);
  const mistaken = mistake === undefined ? '' : `: "${identifier}" ${mistake}`;
  const hint = found.length > 0 ? `; with that name there are: ${joinSome(found)}` : mistaken;
  return new OperatorError('not_found', `${list} has no entry with the ID ${identifier}${hint}`);
}

export function findEntryRow(db: Database, list: ListKind, identifier: string): EntryWithReason | undefined {
  return db.first(BY_IDENTIFIER, { list, identifier });
}

const IDENTIFIER = param('identifier');
// SQLite takes the index of numbers, which ignores case, for a subquery only.
const isIdentified = sql<boolean>`(chat_id = ${IDENTIFIER} OR entry_id = ${IDENTIFIER}
  OR entry_id IN (SELECT entry_id FROM entries WHERE report_id = ${IDENTIFIER} COLLATE NOCASE))`;
const BY_IDENTIFIER = selectEntriesWithReason
  .where('list', '=', param('list'))
  .where(isIdentified)
  // Report numbers are given out; a chat ID that looks like one would come first.
  .orderBy((is) => is('chat_id', '=', IDENTIFIER), 'desc')
  .orderBy((is) => is('report_id', '=', IDENTIFIER), 'desc')
  .compile();

/**
 * @param identifier as for getEntryRow
 * @throws {OperatorError} when there is none
 */
export function getEntryRows(db: Database, identifier: string, list?: ListKind): EntryRow[] {
  return getRowsOfList(listEntryRows(db, identifier), identifier, list);
}

/** @throws {OperatorError} when the list, or all of them, have none of the rows */
export function getRowsOfList(rows: readonly EntryRow[], identifier: string, list?: ListKind): EntryRow[] {
  const found = rows.filter((row) => (list ?? row.list) === row.list);
  if (found.length > 0) return found;
  const where = list === undefined ? 'no list has an' : `${list} has no`;
  throw new OperatorError('not_found', `${where} entry with the ID ${identifier}`);
}

/** In all lists. @param identifier as for getEntryRow */
export function listEntryRows(db: Database, identifier: string): EntryRow[] {
  const found = db.all(ALL_BY_IDENTIFIER, { identifier });
  const exact = found.filter((row) => [row.chat_id, row.entry_id, row.report_id].includes(identifier));
  return exact.length > 0 ? exact : found;
}

const ALL_BY_IDENTIFIER = sqlBuilder
  .selectFrom('entries')
  .selectAll()
  .where(isIdentified)
  .orderBy('row')
  .compile();

export function listEntryRowsByNick(db: Database, nick: string, list?: ListKind): EntryRow[] {
  const folded = foldText(nick);
  const all = sqlBuilder.selectFrom('entries').selectAll();
  const some = list === undefined ? all : all.where('list', '=', list);
  return db.all(some).filter(({ name }) => foldText(name) === folded);
}

/** Only by chat ID, fast, for checks of many records. */
export function findEntryRowByChatId(db: Database, list: ListKind, chatId: string): EntryRow | undefined {
  return db.first(BY_CHAT_ID, { chatId, list });
}

const BY_CHAT_ID = sqlBuilder
  .selectFrom('entries')
  .selectAll()
  .where('chat_id', '=', param('chatId'))
  .where('list', '=', param('list'))
  .compile();
