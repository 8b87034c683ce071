/** How rows become entries; the columns that public queries may select are named here and nowhere else. */
import type { Selectable } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import type { Entry, ListEntry, ListKind, ProofsState } from './entry.ts';

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

/** What orders an entry among others of its list. */
export interface PlacedEntry {
  readonly list: ListKind;
  readonly entryId: string;
  readonly views: number;
  /** Epoch milliseconds. */
  readonly reportedAt: number;
}

/** DESIGN section 3, order `popular`. */
export function compareViews(one: Omit<PlacedEntry, 'list'>, other: Omit<PlacedEntry, 'list'>): number {
  return (
    other.views - one.views || other.reportedAt - one.reportedAt || (one.entryId < other.entryId ? -1 : 1)
  );
}

/** The public entry of a row, as pages show it. */
export function findEntryByRow(db: Database, row: number): (PlacedEntry & { entry: Entry }) | undefined {
  const found = db.first(selectEntryColumns(db).select('views').where('row', '=', row));
  const entry = found && toEntry(found);
  return (
    entry && {
      list: entry.list,
      entryId: entry._id,
      views: found.views,
      reportedAt: entry.reportedAt,
      entry,
    }
  );
}

/** The public entries with a chat ID, at most one a list. */
export function listEntriesById(db: Database, chatId: string): Entry[] {
  return db.all(selectEntryColumns(db).where('chat_id', '=', chatId)).map(toEntry);
}

/** An entry as the API sends it. */
export interface EntryJson extends PlacedEntry {
  readonly row: number;
  readonly chatId: string;
  /** Its ListEntry (SPEC 2.1), in UTF-8. */
  readonly json: Buffer;
}

type EntryJsonRow = readonly [
  row: number,
  list: string,
  entryId: string,
  reportId: string,
  proofsId: string | null,
  chatId: string,
  name: string,
  verified: number,
  reportedAt: number,
  views: number,
  descHtml: string,
];

const SELECT_JSON = `SELECT row, list, entry_id, report_id, proofs_id, chat_id, name, verified, reported_at, views,
    desc_html
  FROM entries JOIN contents USING (content) WHERE (list != 'legit' OR verified = 1)`;

/** The public entry of a row. As an array, because SQLite's driver takes longer to make an object than to read. */
export function findEntryJson(db: Database, row: number): EntryJson | undefined {
  const found = db.statement(`${SELECT_JSON} AND row = ?`).raw().get(row) as EntryJsonRow | undefined;
  return found && toEntryJson(found);
}

/** As listEntriesById. */
export function listEntryJsonById(db: Database, chatId: string): EntryJson[] {
  return toEntryJsons(db.statement(`${SELECT_JSON} AND chat_id = ?`).raw().all(chatId));
}

/** The next public entries after a row, in the order of rows. */
export function pageEntryJson(db: Database, after: number, limit: number): EntryJson[] {
  return toEntryJsons(
    db.statement(`${SELECT_JSON} AND row > ? ORDER BY row LIMIT ?`).raw().all(after, limit),
  );
}

function toEntryJsons(rows: readonly unknown[]): EntryJson[] {
  return (rows as EntryJsonRow[]).map(toEntryJson);
}

function toEntryJson(columns: EntryJsonRow): EntryJson {
  const [row, list, entryId, reportId, proofsId, id, name, verified, reportedAt, views, descHtml] = columns;
  const entry: ListEntry = { _id: entryId, name, id, descHtml, verified: verified === 1, proofsId, reportId };
  const json = Buffer.from(JSON.stringify(entry));
  return { list: list as ListKind, entryId, row, chatId: id, views, reportedAt, json };
}
