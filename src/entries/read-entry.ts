/** How rows become entries; the columns that public queries may select are named here and nowhere else. */
import type { Selectable } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { visibleText } from '../text/visible-text.ts';
import type { Entry, ListKind, ProofsState } from './entry.ts';

const COLUMNS = [
  'list',
  'entry_id',
  'report_id',
  'proofs_id',
  'proofs',
  'chat_id',
  'name',
  'verified',
  'reported_at',
  'updated_at',
  'desc_html',
] as const;

/** For a statement over `entries` and `contents`. */
export const ENTRY_COLUMNS = COLUMNS.join(', ');

/** The same as selectPublicEntries, for a statement over `entries`. */
export const IS_PUBLIC = "(list != 'legit' OR verified = 1)";

export type EntryRow = Pick<
  Selectable<Tables['entries']> & Selectable<Tables['contents']>,
  (typeof COLUMNS)[number]
>;

/** Entries that the public may see: an unverified entry of the trusted list is never served. */
export function selectPublicEntries(db: Database) {
  return db.sql
    .selectFrom('entries')
    .where((where) => where.or([where('list', '!=', 'legit'), where('verified', '=', 1)]));
}

export function selectEntryColumns(db: Database) {
  return selectPublicEntries(db).innerJoin('contents', 'contents.content', 'entries.content').select(COLUMNS);
}

export function toEntry(row: EntryRow): Entry {
  return { ...toEntryFields(row), visibleText: visibleText(row.desc_html) };
}

/** All but the text without markup, which has to be made. */
export function toEntryFields(row: EntryRow): Omit<Entry, 'visibleText'> {
  return {
    _id: row.entry_id,
    name: row.name,
    id: row.chat_id,
    descHtml: row.desc_html,
    verified: row.verified === 1,
    proofsId: row.proofs_id,
    reportId: row.report_id,
    list: row.list as ListKind,
    proofs: row.proofs as ProofsState,
    reportedAt: row.reported_at,
    updatedAt: row.updated_at,
  };
}

/** A public entry, and what places it among others. */
export interface StoredEntry {
  /** Number of its row in the database. */
  readonly row: number;
  readonly views: number;
  readonly entry: Entry;
}

const SELECT_STORED = `SELECT row, views, ${ENTRY_COLUMNS} FROM entries JOIN contents USING (content)
  WHERE ${IS_PUBLIC}`;

type StoredRow = EntryRow & { readonly row: number; readonly views: number };

function toStored(row: StoredRow): StoredEntry {
  return { row: row.row, views: row.views, entry: toEntry(row) };
}

/** Undefined when there is no public entry with this `_id`. */
export function findStoredEntry(db: Database, entryId: string): StoredEntry | undefined {
  const row = db.statement<StoredRow>(`${SELECT_STORED} AND entry_id = ?`).get(entryId);
  return row && toStored(row);
}

/** Undefined when the row holds no public entry. */
export function findStoredByRow(db: Database, row: number): StoredEntry | undefined {
  const found = db.statement<StoredRow>(`${SELECT_STORED} AND row = ?`).get(row);
  return found && toStored(found);
}

/** The public entries with a chat ID, at most one a list. */
export function listStoredById(db: Database, chatId: string): StoredEntry[] {
  return db.statement<StoredRow>(`${SELECT_STORED} AND chat_id = ?`).all(chatId).map(toStored);
}

/** Reads the next public entries after a row one by one, in the order of rows. */
export function* pageStored(db: Database, after: number, limit: number): Generator<StoredEntry> {
  const rows = db
    .statement<StoredRow>(`${SELECT_STORED} AND row > ? ORDER BY row LIMIT ?`)
    .iterate(after, limit);
  for (const row of rows) yield toStored(row);
}
