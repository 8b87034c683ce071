/** What an answer has to be, worked out from the entries themselves: without indexes, files and caches. */
import type { Database } from '#src/db/database.ts';
import { scanNames } from '#src/entries/check-by-name.ts';
import { toCheckResults } from '#src/entries/check-entries.ts';
import { parseCheckQuery } from '#src/entries/check-query.ts';
import { parseListKind, toListEntry } from '#src/entries/entry.ts';
import { listEntries } from '#src/entries/list-entries.ts';
import { parseListQuery } from '#src/entries/list-query.ts';
import { toListResponse } from '#src/entries/list-response.ts';
import { findEntryByRow, listEntriesById } from '#src/entries/read-entry.ts';
import { foldText } from '#src/text/fold-text.ts';

/** @returns the body; undefined for what is no list and no check */
export function expectedAnswer(db: Database, path: string): string | undefined {
  const url = new URL(path, 'http://bench');
  if (url.pathname === '/api/check') return JSON.stringify({ results: expectedCheck(db, url.searchParams) });
  const list = parseListKind(url.pathname.slice('/api/'.length));
  if (!list) return undefined;
  return JSON.stringify(toListResponse(listEntries(db, list, parseListQuery(url.searchParams).query)));
}

function expectedCheck(db: Database, parameters: URLSearchParams) {
  const { id, search = '' } = parseCheckQuery(parameters).query;
  if (id !== undefined) {
    return toCheckResults(listEntriesById(db, id)).map(({ kind, found }) => ({
      kind,
      entries: found.map(toListEntry),
    }));
  }
  const results = db.snapshot(() =>
    scanNames(db, search, foldText(search), (row) => findEntryByRow(db, row)),
  );
  return results.map(({ kind, found }) => ({ kind, entries: found.map(({ entry }) => toListEntry(entry)) }));
}
