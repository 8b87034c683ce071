/** The search thread (SPEC 4.1): FTS5 finds rows; the orders in memory sort and filter them. */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { readLogHead } from '../changes/change-log.ts';
import { openReader } from '../db/reader.ts';
import type { ListEntry, ListKind } from '../entries/entry.ts';
import type { ListQuery } from '../entries/list-query.ts';
import { listPublicByRowNumbers } from '../entries/public-entry.ts';
import { foldText } from '../text/fold-text.ts';
import { ListIndexes } from '../lists/list-indexes.ts';
import { createSearchHandle, containsText, DamagedSearchError, matchRows } from './search-file.ts';

const NICE = 10;

export interface SearchTask {
  readonly list: ListKind;
  readonly query: ListQuery & { readonly search: string };
}

export interface FoundRows {
  readonly rows: readonly number[];
  readonly total: number;
}

/** Nothing is found while the worker has to make search.db, which may have been damaged. */
export interface SearchOutcome {
  readonly found?: FoundRows | undefined;
  readonly damage?: Error;
  readonly error?: Error;
}

const { databasePath } = workerData as { databasePath: string };
const main = openReader(databasePath, () => {});
const indexes = new ListIndexes(main);
const file = createSearchHandle(databasePath, 'read');

function find({ list, query }: SearchTask): FoundRows | undefined {
  const folded = foldText(query.search);
  // Entries contain no NUL and no lone surrogate, and FTS5 accepts neither.
  if (folded === '' || folded.includes('\0') || !folded.isWellFormed()) return { rows: [], total: 0 };
  const matches = file.use(() => {
    const db = file.open(() => readLogHead(main));
    return db && matchRows(db, folded);
  });
  if (!matches) return undefined;
  const hits = indexes.view(list, query, matches);
  const rows = hits.slice(query.skip, query.limit);
  // The index may be older than the entry, or damaged.
  const kept = listPublicByRowNumbers(main, rows)
    .filter(({ json }) => containsText(JSON.parse(json) as ListEntry, folded))
    .map(({ row }) => row);
  return { rows: kept, total: hits.total - (rows.length - kept.length) };
}

try {
  // On Linux this changes the calling thread only.
  if (process.platform === 'linux') setPriority(NICE);
} catch {
  // Not permitted: the threads share the cores equally.
}

parentPort?.on('message', (task: SearchTask) => {
  let outcome: SearchOutcome;
  try {
    outcome = { found: find(task) };
  } catch (error) {
    // The worker may have replaced a damaged file.
    file.close();
    outcome = error instanceof DamagedSearchError ? { damage: error } : { error: error as Error };
  }
  parentPort?.postMessage(outcome);
});
