/**
 * What the search thread answers: searches over the full-text tables (SPEC 4.1), sorted and filtered by the orders in
 * memory; and, while there is no serving file, pages and checks by plain SQL (plain-sql.ts). It works synchronously, for
 * up to some tenths of a second.
 */
import type { Database } from '../db/database.ts';
import type { ListKind } from '../entries/entry.ts';
import type { ListQuery } from '../entries/list-query.ts';
import { foldText } from '../text/fold-text.ts';
import { holdsPiece, listRows } from './full-text.ts';
import { checkByPlainSql, listByPlainSql } from './plain-sql.ts';
import { readFrames, readTexts } from './ready-entry.ts';
import type { Frame } from './ready-entry.ts';
import { ServingReader } from './serving-reader.ts';
import type { Column } from './serving-reader.ts';

export type SearchTask =
  | { readonly kind: 'list'; readonly list: ListKind; readonly query: ListQuery; readonly column: Column }
  | { readonly kind: 'check'; readonly search: string; readonly column: Column };

/** Frames one after another, ready to be handed to another thread. */
export interface Found {
  readonly frames: Uint8Array<ArrayBuffer>;
  readonly total: number;
}

/** It would take too long as long as the worker has not made what is needed. */
export class NotReadyError extends Error {
  override name = 'NotReadyError';
}

const BITS = 32;

export class SearchEngine {
  readonly #main: Database;
  readonly #reader: ServingReader;

  constructor(main: Database, onFailure: (error: unknown) => void) {
    this.#main = main;
    this.#reader = new ServingReader(main, onFailure);
  }

  /**
   * @param goOn called now and then; what it throws ends the work
   * @throws {NotReadyError} where `goOn` does
   */
  answer(task: SearchTask, goOn: () => void): Found {
    if (task.kind === 'check') return join(checkByPlainSql(this.#main, task.search, task.column, goOn));
    const { list, query, column } = task;
    let looked = this.#reader.look();
    while (looked === 'more') {
      goOn();
      looked = this.#reader.look();
    }
    if (query.search !== undefined && looked === 'ready' && this.#reader.hasTexts)
      return this.#search(list, query, column, foldText(query.search));
    return join(listByPlainSql(this.#main, list, query, column, goOn));
  }

  #search(list: ListKind, query: ListQuery, column: Column, piece: string): Found {
    const reader = this.#reader;
    // No entry holds a NUL or half a character, and FTS5 takes neither.
    if (piece === '' || piece.includes('\0') || !piece.isWellFormed()) return join({ frames: [], total: 0 });
    const view = reader.view(list, query);
    const found = reader.try((file) => toBits(listRows(file, piece)));
    const hits = view.only(found);
    const rows = hits.slice(query.skip, query.limit);
    const bodies = reader.read(rows, 'body');
    // An entry that has changed a moment ago, or a damaged table: what is shown is looked at.
    const kept = bodies.filter((body) => holdsPiece(readTexts(body), piece));
    const total = hits.total - (rows.length - kept.length);
    if (column === 'body') return join({ frames: kept, total });
    return join({
      frames: reader.read(
        kept.map(({ row }) => row),
        column,
      ),
      total,
    });
  }
}

function toBits(rows: Iterable<number>): Uint32Array {
  let bits = new Uint32Array(1_024);
  for (const row of rows) {
    const word = Math.floor(row / BITS);
    if (word >= bits.length) {
      const larger = new Uint32Array(Math.max(word + 1, 2 * bits.length));
      larger.set(bits);
      bits = larger;
    }
    bits[word] = (bits[word] as number) | (1 << (row % BITS));
  }
  return bits;
}

function join({ frames, total }: { readonly frames: readonly Frame[]; readonly total: number }): Found {
  const whole = frames.map(({ whole: bytes }) => bytes);
  const bytes = new Uint8Array(whole.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of whole) {
    bytes.set(part, at);
    at += part.length;
  }
  return { frames: bytes, total };
}

/** What a thread has handed over. */
export function split({ frames }: Found): Frame[] {
  return readFrames(Buffer.from(frames.buffer, frames.byteOffset, frames.byteLength));
}
