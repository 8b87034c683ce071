/** Reads a page of a list, newest first, or oldest first where only old ones are wanted, without sorted orders: slower, but it needs no worker. */
import type { Database } from '../db/database.ts';
import type { EntrySummary, ListEntry, ListKind } from '../entries/entry.ts';
import type { ListQuery } from '../entries/list-query.ts';
import { accountOf, findByRows, flagFilter, listOf, parseCard } from '../entries/published.ts';
import { compareBy, readAllKeys } from '../lists/sort-orders.ts';
import { containsText } from '../search/search-file.ts';
import { foldText } from '../text/fold-text.ts';

interface Query extends Pick<ListQuery, 'status' | 'skip' | 'limit'> {
  readonly search?: string;
  /** Days since the report. */
  readonly olderThan?: number;
  readonly hijacked?: true;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

export function listEntries(
  db: Database,
  list: ListKind,
  { search, olderThan, hijacked, status, skip, limit }: Query,
): { readonly entries: readonly EntrySummary[]; readonly total: number } {
  const { mask, expected } = flagFilter(list, { status, proofs: 'all' });
  const folded = search === undefined ? undefined : foldText(search);
  const holds = (row: number): boolean => {
    const [found] = folded === undefined || folded === '' ? [] : findByRows(db, [row]);
    return found !== undefined && containsText(JSON.parse(found.json) as ListEntry, folded as string);
  };
  const before = olderThan === undefined ? Infinity : Date.now() - olderThan * DAY_MS;
  const isWanted = (flags: number): boolean =>
    list === 'legit' ? listOf(flags) === list : (flags & mask) === expected;
  const rows = readAllKeys(db)
    .filter(({ flags, reportedAt }) => isWanted(flags) && reportedAt < before)
    .filter(({ flags }) => !hijacked || accountOf(flags) === 'hijacked')
    .filter(({ row }) => folded === undefined || holds(row))
    .sort(compareBy(olderThan === undefined ? 'newest' : 'oldest'))
    .map(({ row }) => row);
  const page = findByRows(db, rows.slice(skip, skip + limit));
  return { entries: page.map(({ card }) => parseCard(card)), total: rows.length };
}
