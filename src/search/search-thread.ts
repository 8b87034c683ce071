/** The search thread (SPEC 4.1): FTS5 finds rows; the orders in memory sort and filter them. */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { identifyFile } from '../db/database.ts';
import type { Database } from '../db/database.ts';
import { openReader } from '../db/reader.ts';
import type { ListEntry, ListKind } from '../entries/entry.ts';
import type { ListQuery } from '../entries/list-query.ts';
import { findByRows } from '../entries/published.ts';
import { foldText } from '../text/fold-text.ts';
import { ListIndexes } from '../lists/list-indexes.ts';
import { findSearchState, holdsPiece, listRows, openSearchFile, searchPath } from './search-file.ts';

/** A lower priority than the main thread's, so that searches wait when cores are scarce. */
const NICE = 10;

export interface SearchTask {
  readonly list: ListKind;
  readonly query: ListQuery & { readonly search: string };
}

export interface FoundRows {
  readonly rows: readonly number[];
  readonly total: number;
}

/** `later`: the worker has to build search.db first. */
export type SearchOutcome =
  { readonly found: FoundRows } | { readonly later: true } | { readonly error: Error };

const { databasePath } = workerData as { databasePath: string };
const main = openReader(databasePath, () => {});
const indexes = new ListIndexes(main);
let file: { readonly db: Database; readonly identity: string } | undefined;

function find({ list, query }: SearchTask): FoundRows | undefined {
  const piece = foldText(query.search);
  // Entries contain no NUL and no lone surrogate, and FTS5 accepts neither.
  if (piece === '' || piece.includes('\0') || !piece.isWellFormed()) return { rows: [], total: 0 };
  const searched = open();
  if (!searched) return undefined;
  const hits = indexes.refresh().view(list, query).only(listRows(searched, piece));
  const rows = hits.slice(query.skip, query.limit);
  // The index may be older than the entry, or damaged.
  const kept = findByRows(main, rows)
    .filter(({ json }) => holdsPiece(JSON.parse(json) as ListEntry, piece))
    .map(({ row }) => row);
  return { rows: kept, total: hits.total - (rows.length - kept.length) };
}

function open(): Database | undefined {
  const path = searchPath(databasePath);
  const identity = identifyFile(path);
  if (file && file.identity !== identity) close();
  if (identity === undefined) return undefined;
  file ??= { db: openSearchFile(path, 'read'), identity };
  const { history, seq } = indexes.head;
  const state = findSearchState(file.db);
  return state?.history === history && state.seq <= seq ? file.db : undefined;
}

function close(): void {
  file?.db.close();
  file = undefined;
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
    const found = find(task);
    outcome = found ? { found } : { later: true };
  } catch (error) {
    // The worker may have replaced a damaged file.
    close();
    outcome = { error: error instanceof Error ? error : new Error(String(error)) };
  }
  parentPort?.postMessage(outcome);
});
