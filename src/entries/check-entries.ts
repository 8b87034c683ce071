/** The check across all lists (SPEC 4.2, rules 1 to 4). */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { foldText } from '../text/fold-text.ts';
import type { CheckQuery } from './check-query.ts';
import { LIST_KINDS } from './entry.ts';
import type { Entry, ListKind } from './entry.ts';
import { ENTRY_COLUMNS, selectEntryColumns, toEntry } from './read-entry.ts';
import type { EntryRow } from './read-entry.ts';

/** SPEC 4.2 rule 2. */
export const CHECK_RESULTS_MAX = 20;

export interface CheckResult {
  readonly kind: ListKind;
  readonly entries: Entry[];
  /** More than CHECK_RESULTS_MAX match in this list. */
  readonly hasMore: boolean;
}

/** Lists in which something was found; empty when the person or server is on none. */
export function checkEntries(db: Database, query: CheckQuery): CheckResult[] {
  return db.snapshot(() => {
    const found = LIST_KINDS.map((kind) => checkList(db, kind, query)).filter(
      (result) => result.entries.length > 0,
    );
    // Rule 3: a trusted entry beside a reported one could be read as an all-clear.
    return found.some((result) => result.kind !== 'legit')
      ? found.filter((result) => result.kind !== 'legit')
      : found;
  });
}

function checkList(db: Database, kind: ListKind, query: CheckQuery): CheckResult {
  const rows =
    query.id !== undefined ? findById(db, kind, query.id) : findByName(db, kind, query.search ?? '');
  return {
    kind,
    entries: rows.slice(0, CHECK_RESULTS_MAX).map(toEntry),
    hasMore: rows.length > CHECK_RESULTS_MAX,
  };
}

function findById(db: Database, kind: ListKind, id: string): EntryRow[] {
  return db.statement<EntryRow>(kind === 'legit' ? BY_ID_TRUSTED : BY_ID).all(id, kind);
}

const BY_ID = `SELECT ${ENTRY_COLUMNS} FROM entries JOIN contents USING (content) WHERE chat_id = ? AND list = ?`;
/** An unverified entry of the trusted list is never served. */
const BY_ID_TRUSTED = `${BY_ID} AND +verified = 1`;

/** Equal ID first, then equal name, then names that begin with the search, then the rest by views. */
function findByName(db: Database, kind: ListKind, search: string) {
  const folded = foldText(search);
  if (folded === '') return [];
  const place = sql`CASE WHEN chat_id = ${search} THEN 0 WHEN name_folded = ${folded} THEN 1
    WHEN instr(name_folded, ${folded}) = 1 THEN 2 ELSE 3 END`;
  return db.all(
    selectEntryColumns(db)
      .where('list', '=', kind)
      .where(sql<boolean>`(chat_id = ${search} OR instr(name_folded, ${folded}) > 0)`)
      .orderBy(place)
      .orderBy('views', 'desc')
      .orderBy('reported_at', 'desc')
      .orderBy('entry_id')
      .limit(CHECK_RESULTS_MAX + 1),
  );
}
