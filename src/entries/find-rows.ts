import { sqlBuilder, param, type Database } from '../db/database.ts';
import { foldText } from '../text/fold-text.ts';
import { named } from '../text/shorten.ts';
import { VerbError } from '../verb-error.ts';
import { entryIdOf } from './entry-identity.ts';
import type { EntryRow } from './entry-row.ts';
import type { ListKind } from './entry.ts';
import { selectRecords, type ExportRow } from './export-records.ts';
import { findMistakenId } from './read-subject.ts';

/**
 * Finds an entry of a list.
 * @param name its chat ID, its report number or its `_id`
 * @throws {VerbError} when the list has no such entry; the message names entries that have the name as their nick
 */
export function getRow(db: Database, list: ListKind, name: string): ExportRow {
  const row = findInList(db, list, name);
  if (row) return row;
  const found = findByNick(db, name, list).map((entry) => `${entry.chat_id} (${entry.report_id})`);
  const mistake = findMistakenId(name);
  const hint =
    found.length > 0
      ? `; with that name there are: ${named(found)}`
      : mistake === undefined
        ? ''
        : `: "${name}" ${mistake}`;
  throw new VerbError('not_found', `${list} has no entry with the ID ${name}${hint}`);
}

/** @param name as for getRow */
export function findInList(db: Database, list: ListKind, name: string): ExportRow | undefined {
  return db.first(BY_NAME, { list, name, entryId: entryIdOf(name) });
}

const BY_NAME = selectRecords
  .where('list', '=', param('list'))
  .where((is) =>
    is.or([is('chat_id', '=', param('name')), is('entry_id', 'in', [param('name'), param('entryId')])]),
  )
  // Report numbers are given out; a chat ID that looks like one would come first.
  .orderBy((is) => is('chat_id', '=', param('name')), 'desc')
  .compile();

/**
 * Finds entries of all lists, or of one.
 * @param name as for getRow
 * @throws {VerbError} when there is none
 */
export function getRows(db: Database, name: string, list?: ListKind): EntryRow[] {
  return chooseList(findInLists(db, name), name, list);
}

/** @throws {VerbError} when the list, or all of them, have none of the rows */
export function chooseList(rows: readonly EntryRow[], name: string, list?: ListKind): EntryRow[] {
  const found = rows.filter((row) => (list ?? row.list) === row.list);
  if (found.length > 0) return found;
  const where = list === undefined ? 'no list has an' : `${list} has no`;
  throw new VerbError('not_found', `${where} entry with the ID ${name}`);
}

/** In all lists. @param name as for getRow */
export function findInLists(db: Database, name: string): EntryRow[] {
  const ids = [name, entryIdOf(name)];
  const found = sqlBuilder.selectFrom('entries').selectAll().orderBy('row');
  return db.all(found.where((is) => is.or([is('chat_id', '=', name), is('entry_id', 'in', ids)])));
}

export function findByNick(db: Database, nick: string, list?: ListKind): EntryRow[] {
  const folded = foldText(nick);
  const all = sqlBuilder.selectFrom('entries').selectAll();
  const some = list === undefined ? all : all.where('list', '=', list);
  return db.all(some).filter(({ name }) => foldText(name) === folded);
}

/** Only by chat ID, fast, for checks of many records. */
export function findRowByChatId(db: Database, list: ListKind, chatId: string): EntryRow | undefined {
  return db.first(BY_CHAT_ID, { chatId, list });
}

const BY_CHAT_ID = sqlBuilder
  .selectFrom('entries')
  .selectAll()
  .where('chat_id', '=', param('chatId'))
  .where('list', '=', param('list'))
  .compile();
