/**
 * The thread of search-pool.ts runs this: one search after another (SPEC 4.1), with database handles of its own. FTS5 finds
 * the rows; the orders in memory sort and filter them.
 */
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
import {
  findSearchState,
  holdsPiece,
  listRows,
  openSearchFile,
  searchPath,
} from './search-file.ts';

/** Lower than the thread that answers everybody: where there is one core too few, searches wait. */
const NICE = 10;

export interface SearchTask {
  readonly list: ListKind;
  readonly query: ListQuery & { readonly search: string };
}

/** A page of what was found. */
export interface FoundRows {
  readonly rows: readonly number[];
  readonly total: number;
}

/** `later`: the worker has to make search.db first. */
export type SearchOutcome =
  { readonly found: FoundRows } | { readonly later: true } | { readonly error: Error };

const NOTHING: FoundRows = { rows: [], total: 0 };

class SearchEngine {
  readonly #main: Database;
  readonly #indexes: ListIndexes;
  #file: { readonly db: Database; readonly identity: string } | undefined;

  constructor(main: Database) {
    this.#main = main;
    this.#indexes = new ListIndexes(main);
  }

  /** @returns undefined while there is no file to search in */
  find({ list, query }: SearchTask): FoundRows | undefined {
    const piece = foldText(query.search);
    // No entry holds a NUL or half a character, and FTS5 takes neither.
    if (piece === '' || piece.includes('\0') || !piece.isWellFormed()) return NOTHING;
    const file = this.#open();
    if (!file) return undefined;
    const hits = this.#indexes.refresh().view(list, query).only(listRows(file, piece));
    const rows = hits.slice(query.skip, query.limit);
    // An entry that has changed a moment ago, or damage: what is shown holds the search.
    const kept = findByRows(this.#main, rows)
      .filter(({ json }) => holdsPiece(JSON.parse(json) as ListEntry, piece))
      .map(({ row }) => row);
    return { rows: kept, total: hits.total - (rows.length - kept.length) };
  }

  /** The worker may have put another file in its place. */
  #open(): Database | undefined {
    const path = searchPath(this.#main.path);
    const identity = identifyFile(path);
    if (this.#file && this.#file.identity !== identity) this.close();
    if (identity === undefined) return undefined;
    this.#file ??= { db: openSearchFile(path, 'read'), identity };
    const { history, seq } = this.#indexes.head;
    const state = findSearchState(this.#file.db);
    return state?.history === history && state.seq <= seq ? this.#file.db : undefined;
  }

  close(): void {
    this.#file?.db.close();
    this.#file = undefined;
  }
}

try {
  // On Linux this is about the calling thread alone.
  if (process.platform === 'linux') setPriority(NICE);
} catch {
  // A system that does not allow it: they share the cores as equals.
}

const { databasePath } = workerData as { databasePath: string };
const engine = new SearchEngine(openReader(databasePath, () => {}));
parentPort?.on('message', (task: SearchTask) => {
  let outcome: SearchOutcome;
  try {
    const found = engine.find(task);
    outcome = found ? { found } : { later: true };
  } catch (error) {
    // A damaged file is opened again by the next search: the worker may have made another.
    engine.close();
    outcome = { error: error instanceof Error ? error : new Error(String(error)) };
  }
  parentPort?.postMessage(outcome);
});
