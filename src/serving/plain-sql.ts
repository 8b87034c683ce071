/**
 * Pages of lists, searches and checks by nick without a serving file: every row of the database is looked at, in short steps, so
 * that no reader holds on to old pages for long. Right at every moment, and far too slow for every day.
 */
import type { Database } from '../db/database.ts';
import { CHECK_RESULTS_MAX } from '../entries/check-entries.ts';
import { LIST_KINDS } from '../entries/entry.ts';
import type { ListKind, ProofsState } from '../entries/entry.ts';
import type { ListQuery } from '../entries/list-query.ts';
import { findStoredByRow, IS_PUBLIC } from '../entries/read-entry.ts';
import { foldText } from '../text/fold-text.ts';
import { visibleText } from '../text/visible-text.ts';
import { passes } from './orders.ts';
import { flagsOf, makeReady, readFrames } from './ready-entry.ts';
import type { Frame } from './ready-entry.ts';
import type { Column } from './serving-reader.ts';
import { compareIn, comparePopular } from './write-orders.ts';
import type { Placed } from './write-orders.ts';

/** Rows of one step: some ten milliseconds. */
const STEP_ROWS = 10_000;

/** Rows between two looks at whether somebody still waits. */
const LOOK_ROWS = 500;

interface Row {
  readonly row: number;
  readonly list: ListKind;
  readonly entry_id: string;
  readonly chat_id: string;
  readonly name: string;
  readonly verified: number;
  readonly proofs: ProofsState;
  readonly reported_at: number;
  readonly views: number;
  readonly content: number;
}

/** @param goOn called between the steps; what it throws ends the work */
export function listByPlainSql(
  db: Database,
  list: ListKind,
  query: ListQuery,
  column: Column,
  goOn: () => void,
): { frames: Frame[]; total: number } {
  const kept: Placed[] = [];
  const piece = query.id === undefined && query.search !== undefined ? foldText(query.search) : undefined;
  walk(db, goOn, (placed, row) => {
    if (!passes(list, query, placed.flags)) return;
    if (query.id !== undefined && row.chat_id !== query.id) return;
    if (piece === undefined || holds(db, row, piece)) kept.push(placed);
  });
  goOn();
  kept.sort(compareIn(query.sort));
  return {
    frames: readRows(db, kept.slice(query.skip, query.skip + query.limit), column),
    total: kept.length,
  };
}

/** By list, in the order of the check; of each one more than is answered, so that the caller knows of it. */
export function checkByPlainSql(
  db: Database,
  search: string,
  column: Column,
  goOn: () => void,
): { frames: Frame[]; total: number } {
  const folded = foldText(search);
  const matches: { readonly placed: Placed; readonly match: number }[] = [];
  walk(db, goOn, (placed, row) => {
    const name = foldText(row.name);
    const at = name.indexOf(folded);
    const match = row.chat_id === search ? 0 : at < 0 ? 4 : at > 0 ? 3 : name.length > folded.length ? 2 : 1;
    if (match < 4) matches.push({ placed, match });
  });
  matches.sort((one, other) => one.match - other.match || comparePopular(one.placed, other.placed));
  const frames = LIST_KINDS.flatMap((_, list) =>
    readRows(
      db,
      matches
        .filter(({ placed }) => (placed.flags & 3) === list)
        .slice(0, CHECK_RESULTS_MAX + 1)
        .map(({ placed }) => placed),
      column,
    ),
  );
  return { frames, total: frames.length };
}

/** A piece that folds to nothing is held by nobody. */
function holds(db: Database, { content, name, chat_id: chatId }: Row, piece: string): boolean {
  if (piece === '') return false;
  if (foldText(name).includes(piece) || foldText(chatId).includes(piece)) return true;
  const html = db
    .statement('SELECT desc_html FROM contents WHERE content = ?')
    .pluck()
    .get(content) as string;
  return foldText(visibleText(html)).includes(piece);
}

function walk(db: Database, goOn: () => void, look: (placed: Placed, row: Row) => void): void {
  const statement = db.statement<Row>(
    `SELECT row, list, entry_id, chat_id, name, verified, proofs, reported_at, views, content FROM entries
     WHERE row > ? AND ${IS_PUBLIC} ORDER BY row LIMIT ${STEP_ROWS}`,
  );
  for (let after = 0; ;) {
    const rows = statement.all(after);
    for (const [at, row] of rows.entries()) {
      if (at % LOOK_ROWS === 0) goOn();
      const flags = flagsOf({ ...row, verified: row.verified === 1 });
      look({ ...row, flags }, row);
    }
    if (rows.length < STEP_ROWS) return;
    after = rows.at(-1)?.row ?? after;
  }
}

function readRows(db: Database, placed: readonly Placed[], column: Column): Frame[] {
  return placed.flatMap(({ row }) => {
    const stored = findStoredByRow(db, row);
    return stored ? readFrames(makeReady(row, stored.entry)[column]) : [];
  });
}
