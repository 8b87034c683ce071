/**
 * One row for each public entry, written in the entry's transaction. All shown data is read here, so a removal takes
 * effect at once.
 */
import { sql, type ExpressionBuilder } from 'kysely';
import { sqlBuilder, param, paramList, type Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { excerptOf } from '../text/excerpt.ts';
import { visibleText } from '../text/visible-text.ts';
import {
  LIST_KINDS,
  type Appeal,
  type PublicEntry,
  type PublicSummary,
  type ListEntry,
  type ListKind,
} from './entry.ts';
import type { EntryRow, MirrorFacts, PrivateColumn } from './entry-row.ts';
import type { ListQuery } from './list-query.ts';
import type { PublicAppeal, MirrorEntry } from './mirror-schema.ts';

/** The list in two bits, then these flags. */
export const LIST_BITS = 2;
const VERIFIED = 1 << LIST_BITS;
const PROOFS = 2 << LIST_BITS;
const PRIVATE = 4 << LIST_BITS;
/** Orders have no room for it. */
const HIJACKED = 8 << LIST_BITS;
const LIST_MASK = (1 << LIST_BITS) - 1;

export interface PublicRow {
  readonly flags: number;
  /** A summary: JSON of SummaryTuple. */
  readonly card: string;
  readonly json: string;
}

type SummaryTuple = [
  flags: number,
  reportedAt: number,
  updatedAt: number,
  _id: string,
  name: string,
  id: string,
  proofsId: string | null,
  reportId: string,
  excerpt: string,
  verifiedAt?: number | null,
  accountSince?: number | null,
  appeal?: Appeal | null,
];

/** An unverified entry of the trusted list is never served. */
export const isPublic = (is: ExpressionBuilder<Tables, 'entries'>) =>
  is.or([is('entries.list', '!=', 'legit'), is('entries.verified', '=', 1)]);

export function isPublicEntry({ list, verified }: Pick<EntryRow, 'list' | 'verified'>): boolean {
  return list !== 'legit' || verified === 1;
}

export const publicEntries = sqlBuilder
  .selectFrom('entries')
  .innerJoin('published', 'published.row', 'entries.row');

type Flagged = Pick<EntryRow, 'list' | 'verified' | 'account'>;

/** A hijacked entry of the trusted list is public as not verified. */
function isShownVerified({ list, verified, account }: Flagged): boolean {
  return verified === 1 && !(list === 'legit' && account === 'hijacked');
}

export function flagsOf(row: Flagged & Pick<EntryRow, 'proofs'>): number {
  const { list, proofs, account } = row;
  return (
    LIST_KINDS.indexOf(list) |
    (isShownVerified(row) ? VERIFIED : 0) |
    (proofs === 'none' ? 0 : PROOFS) |
    (proofs === 'private' ? PRIVATE : 0) |
    (account === 'hijacked' ? HIJACKED : 0)
  );
}

export function listFromFlags(flags: number): ListKind {
  return LIST_KINDS[flags & LIST_MASK] as ListKind;
}

function isVerified(flags: number): boolean {
  return (flags & VERIFIED) !== 0;
}

/** A hijacked trusted entry is on no list; its ID, and nicks like its own, lead to it. */
export function isListed(flags: number, list = listFromFlags(flags)): boolean {
  return listFromFlags(flags) === list && (list !== 'legit' || isVerified(flags));
}

export interface FlagFilter {
  readonly mask: number;
  readonly expected: number;
}

/** `status` has no effect on the trusted list, where all listed entries are verified. */
export function flagFilter(
  list: ListKind,
  { status, proofs }: Pick<ListQuery, 'status' | 'proofs'>,
): FlagFilter {
  const byStatus = list !== 'legit' && status === 'all' ? 0 : VERIFIED;
  const byProofs = proofs === 'with' ? PROOFS : proofs === 'private' ? PRIVATE : 0;
  return {
    mask: LIST_MASK | byStatus | byProofs,
    expected:
      LIST_KINDS.indexOf(list) | (list === 'legit' || status === 'verified' ? byStatus : 0) | byProofs,
  };
}

type ShownRow = Omit<EntryRow, 'row' | PrivateColumn>;

/** Undefined when the public may not see the entry. */
export function toPublicRow(row: ShownRow, descHtml: string, appeal: Appeal | null): PublicRow | undefined {
  if (!isPublicEntry(row)) return undefined;
  const { entry_id: _id, name, chat_id: id, proofs_id: proofsId, report_id: reportId } = row;
  const flags = flagsOf(row);
  const entry: ListEntry = { _id, name, id, descHtml, verified: isShownVerified(row), proofsId, reportId };
  const excerpt = excerptOf(descHtml);
  const summary: SummaryTuple = [
    flags,
    row.reported_at,
    row.updated_at,
    _id,
    name,
    id,
    proofsId,
    reportId,
    excerpt,
    row.verified_at,
    row.account_since,
    appeal,
  ];
  return { flags, card: JSON.stringify(summary), json: JSON.stringify(entry) };
}

export function parseSummary(card: string): PublicSummary {
  return toSummary(JSON.parse(card) as SummaryTuple);
}

export function parseSummaries(json: string): PublicSummary[] {
  return (JSON.parse(json) as SummaryTuple[]).map(toSummary);
}

function toSummary(tuple: SummaryTuple): PublicSummary & MirrorFacts {
  const [flags, reportedAt, updatedAt, _id, name, id, proofsId, reportId, excerpt, ...facts] = tuple;
  // Tuples of earlier versions are shorter.
  const [verifiedAt = null, accountSince = null, appeal = null] = facts;
  return {
    _id,
    name,
    id,
    verified: isVerified(flags),
    proofsId,
    reportId,
    list: listFromFlags(flags),
    proofs: (flags & PRIVATE) !== 0 ? 'private' : (flags & PROOFS) !== 0 ? 'public' : 'none',
    reportedAt,
    verifiedAt,
    account: (flags & HIJACKED) === 0 ? 'own' : 'hijacked',
    accountSince,
    updatedAt,
    appeal,
    excerpt,
  };
}

export function parseEntry({ json, card }: Pick<PublicRow, 'json' | 'card'>): PublicEntry {
  const { descHtml } = JSON.parse(json) as ListEntry;
  return { ...parseSummary(card), descHtml, visibleText: visibleText(descHtml) };
}

/** For mirrors and verdicts. @param summary parsed @param before goes between SPEC's keys and the others */
export function toEntryJson(json: string, summary: PublicSummary, before = ''): string {
  return `${json.slice(0, -1)}${before},${JSON.stringify(toMirrorFacts(summary)).slice(1)}`;
}

export function toMirrorFacts(summary: PublicSummary): Omit<MirrorEntry, keyof ListEntry> {
  const { reportedAt, verifiedAt, account, accountSince, updatedAt, appeal } = summary;
  return {
    reportedAt: new Date(reportedAt).toISOString(),
    verifiedAt: toTimestamp(verifiedAt),
    account,
    accountSince: toTimestamp(accountSince),
    updatedAt: new Date(updatedAt).toISOString(),
    appeal: toPublicAppeal(appeal),
  };
}

export function toPublicAppeal(appeal: Appeal | null): PublicAppeal | null {
  if (!appeal) return null;
  const { openedAt, decidedAt, note } = appeal;
  return {
    openedAt: new Date(openedAt).toISOString(),
    decidedAt: toTimestamp(decidedAt),
    outcome: decidedAt === null ? null : 'upheld',
    note,
  };
}

export function toTimestamp(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** At most one entry per list, by the index of `chat_id`, in the order of the lists. */
export function listPublicByChatId(db: Database, chatId: string): readonly PublicRow[] {
  const found = db.all(BY_CHAT_ID, { chatId });
  return found.sort((one, other) => (one.flags & LIST_MASK) - (other.flags & LIST_MASK));
}

/** SPEC 4.2 rule 3: a trusted entry beside a reported one could be read as an all-clear. */
export function dropTrustBesideReport<Found extends { readonly list: ListKind }>(matches: readonly Found[]) {
  const reported = matches.filter(({ list }) => list !== 'legit');
  return reported.length > 0 ? reported : matches;
}

/** Entries of an ID come in the order of the lists. */
export function groupSummariesByChatId(db: Database, chatIds: readonly string[]) {
  const found = db.all(SUMMARIES_BY_CHAT_IDS, { chatIds: JSON.stringify(chatIds) });
  const entries = found.map(({ card }) => parseSummary(card));
  return Map.groupBy(entries, ({ id }) => id);
}

/** Existing rows, in the given order. */
export function listPublicByRowNumbers(db: Database, rows: readonly number[]) {
  return db.all(BY_ROWS, { rows: JSON.stringify(rows) });
}

type IdColumn = 'entry_id' | 'proofs_id';

export function listPublicByIds(db: Database, column: IdColumn, ids: readonly string[]) {
  return db.all(BY_IDS[column], { ids: JSON.stringify(ids) });
}

export function findPublicEntry(db: Database, column: IdColumn, id: string): PublicEntry | undefined {
  const [found] = listPublicByIds(db, column, [id]);
  return found && parseEntry(found);
}

/**
 * Concatenates a column of rows into one value, because separate values would double the time. Missing rows, and rows
 * that no longer match the filter, are skipped.
 */
export function readPublicColumn(
  db: Database,
  column: 'card' | 'json',
  rows: readonly number[],
  { mask, expected }: FlagFilter = { mask: 0, expected: 0 },
  [head, tail]: readonly [string, string] = ['[', ']'],
): Buffer {
  return db
    .statement<Buffer>(ROWS[column])
    .pluck()
    .get(JSON.stringify(rows), { head, tail, mask, expected }) as Buffer;
}

// Kysely has neither CAST AS BLOB nor a join order with table functions. group_concat follows the order of the loop;
// ORDER BY in it would cost a third more.
const joinRows = (column: string): string =>
  `SELECT CAST(concat(@head, group_concat(published.${column}, ','), @tail) AS BLOB)
   FROM json_each(?) AS wanted CROSS JOIN published ON row = wanted.value WHERE (flags & @mask) = @expected`;
const ROWS = { card: joinRows('card'), json: joinRows('json') } as const;

const BY_CHAT_ID = sqlBuilder
  .selectFrom('published')
  .select(['flags', 'card', 'json'])
  .where('chat_id', '=', param('chatId'))
  .compile();
const SUMMARIES_BY_CHAT_IDS = sqlBuilder
  .selectFrom('published')
  .select('card')
  .where('chat_id', 'in', paramList('chatIds'))
  .orderBy(sql`flags & ${sql.lit(LIST_MASK)}`)
  .compile();
const BY_ROWS = sqlBuilder
  .selectFrom(sql<{ value: number }>`json_each(${param('rows')})`.as('wanted'))
  .crossJoin('published')
  .select(['published.row', 'flags', 'card', 'published.json'])
  .whereRef('published.row', '=', 'wanted.value')
  .compile();
const byIds = (column: IdColumn) =>
  publicEntries
    .select(['published.row', 'flags', 'card', 'json'])
    .where(column, 'in', paramList('ids'))
    .compile();
const BY_IDS = { entry_id: byIds('entry_id'), proofs_id: byIds('proofs_id') } as const;
