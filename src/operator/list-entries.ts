/** Reads a page of a list, newest first, or oldest first where only old ones are wanted; it needs no worker. */
import { existsSync } from 'node:fs';
import { listChangedEntries, readLogHead } from '../changes/change-log.ts';
import { sqlBuilder, type Database } from '../db/database.ts';
import type { PublicSummary, ListEntry, ListKind } from '../entries/entry.ts';
import type { EntryRow } from '../entries/entry-row.ts';
import type { ListQuery } from '../entries/list-query.ts';
import { listPublicByRowNumbers, isPublic, parseSummary } from '../entries/public-entry.ts';
import {
  containsText,
  findSearchState,
  matchRows,
  openSearchFile,
  searchPath,
} from '../search/search-file.ts';
import { foldText } from '../text/fold-text.ts';
import { DAY_MS } from '../text/calendar.ts';

export interface EntryQuery extends Pick<ListQuery, 'status' | 'skip' | 'limit'> {
  readonly search?: string;
  /** Days since the report. */
  readonly olderThan?: number;
  readonly hijacked?: true;
}

export function listEntries(
  db: Database,
  list: ListKind,
  { search, olderThan, hijacked, status, skip, limit }: EntryQuery,
): { readonly entries: readonly PublicSummary[]; readonly total: number } {
  let wanted = sqlBuilder.selectFrom('entries').where(isPublic).where('list', '=', list);
  if (status !== 'all') wanted = wanted.where('verified', '=', status === 'verified' ? 1 : 0);
  // A trusted account that is hijacked is vouched for no more.
  if (status === 'verified' && list === 'legit') wanted = wanted.where('account', '=', 'own');
  if (olderThan !== undefined) wanted = wanted.where('reported_at', '<', Date.now() - olderThan * DAY_MS);
  if (hijacked) wanted = wanted.where('account', '=', 'hijacked');
  const order = olderThan === undefined ? (['desc', 'asc'] as const) : (['asc', 'desc'] as const);
  const ordered = wanted.select(['row', 'entry_id']);
  const all = db.all(ordered.orderBy('reported_at', order[0]).orderBy('entry_id', order[1]));
  const folded = foldText(search ?? '');
  // A text of invisible characters is in no entry, as the API has it.
  const matches = folded === '' ? () => (search ?? '').trim() === '' : createMatcher(db, folded);
  const found = all.filter(matches);
  const page = listPublicByRowNumbers(
    db,
    found.slice(skip, skip + limit).map(({ row }) => row),
  );
  return { entries: page.map(({ card }) => parseSummary(card)), total: found.length };
}

/** Asks the file of searches, and reads each entry that is newer than that, or every one without a usable file. */
function createMatcher(db: Database, folded: string) {
  const file = searchInFile(db, folded);
  return ({ row, entry_id }: Pick<EntryRow, 'row' | 'entry_id'>): boolean =>
    file && !file.changed.has(entry_id)
      ? file.rows.has(row)
      : listPublicByRowNumbers(db, [row]).some(({ json }) =>
          containsText(JSON.parse(json) as ListEntry, folded),
        );
}

function searchInFile(db: Database, folded: string) {
  const path = searchPath(db.path);
  if (!existsSync(path)) return undefined;
  try {
    using file = openSearchFile(path, 'read');
    const [state, head] = [findSearchState(file), readLogHead(db)];
    if (state?.logId !== head.logId || state.seq > head.seq) return undefined;
    const changed = new Set(listChangedEntries(db, state.seq, head.seq));
    return { changed, rows: new Set(matchRows(file, folded)) };
  } catch {
    // Damaged, or just being replaced.
    return undefined;
  }
}
