/** How rows become entries; the columns that public queries may select are named here and nowhere else. */
import type { Selectable } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import type { Entry, ListKind, ProofsState } from './entry.ts';

export type EntryRow = Pick<
  Selectable<Tables['entries']> & Selectable<Tables['contents']>,
  | 'list'
  | 'entry_id'
  | 'report_id'
  | 'proofs_id'
  | 'proofs'
  | 'chat_id'
  | 'name'
  | 'verified'
  | 'reported_at'
  | 'updated_at'
  | 'desc_html'
  | 'visible_text'
>;

/** Entries that the public may see: an unverified entry of the trusted list is never served. */
export function selectPublicEntries(db: Database) {
  return db.sql
    .selectFrom('entries')
    .where((where) => where.or([where('list', '!=', 'legit'), where('verified', '=', 1)]));
}

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
  'visible_text',
] as const;

/** For statements written by hand over entries joined with contents. */
export const ENTRY_COLUMNS = COLUMNS.join(', ');

export function selectEntryColumns(db: Database) {
  return selectPublicEntries(db).innerJoin('contents', 'contents.content', 'entries.content').select(COLUMNS);
}

export function toEntry(row: EntryRow): Entry {
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
    visibleText: row.visible_text,
  };
}
