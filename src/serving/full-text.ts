/**
 * The full-text tables (SQLite's FTS5) over the folded texts of the ready entries: trigrams for three letters and more,
 * and a table for one and two. They hold no text of their own, so that taking an entry out needs what was put in: the
 * queue keeps it from the moment at which the entry changes.
 */
import type { Database } from '../db/database.ts';
import { foldText } from '../text/fold-text.ts';
import { BATCH_BYTES, takeBatch } from './batch.ts';
import { readFrames, readTexts } from './ready-entry.ts';
import type { SearchedTexts } from './ready-entry.ts';
import { findState, writeState } from './serving-file.ts';

/** Rows that are taken in or out in one transaction. */
const STEP_ROWS = 500;
/** Pages that a merge may write after a step. */
const MERGE_PAGES = 24;
/** The same where everything is to be merged: some tenths of a second. */
const MERGE_ALL_PAGES = 2_000;
/** Each entry that is taken out securely costs 4 MB; with more of them, merging everything is cheaper. */
const SECURE_MAX = 50;
/** What is to become of leftovers, see serving-file.ts. */
const LYING = 0;
const ASKED_FOR = 1;
const BEGUN = 2;
const NO_ENTRY = 0;
/** Letters that a search needs to be looked for among the trigrams. */
const PIECE_LETTERS = 3;

export function foldTexts({ name, chatId, reason }: SearchedTexts): SearchedTexts {
  return { name: foldText(name), chatId: foldText(chatId), reason: foldText(reason) };
}

/** @param piece folded */
export function holdsPiece(texts: SearchedTexts, piece: string): boolean {
  const { name, chatId, reason } = foldTexts(texts);
  return name.includes(piece) || chatId.includes(piece) || reason.includes(piece);
}

/** Rows whose texts hold a piece, in no order; for an entry whose texts are in the queue, as they were. */
export function listRows(db: Database, piece: string): Iterable<number> {
  const points = [...piece];
  if (points.length >= PIECE_LETTERS) {
    const phrase = `"${piece.replaceAll('"', '""')}"`;
    return db.statement('SELECT rowid FROM pieces WHERE pieces MATCH ?').pluck().all(phrase) as number[];
  }
  // The last of its words is the longest: the piece itself.
  const word = listGrams([piece]).split(' ').at(-1);
  return db.statement('SELECT rowid FROM letters WHERE letters MATCH ?').pluck().all(word) as number[];
}

/** Before an entry changes or goes: what the tables hold of it is needed to take it out. */
export function queueText(db: Database, row: number, textThrough: number | null): void {
  if (db.statement('SELECT 1 FROM text_queue WHERE row = ?').get(row)) return;
  const isHeld = textThrough === null || row <= textThrough;
  const body = db.statement('SELECT body FROM ready WHERE row = ?').pluck().get(row) as Buffer | undefined;
  const [frame] = body && isHeld ? readFrames(body) : [];
  const texts = frame ? foldTexts(readTexts(frame)) : { name: null, chatId: null, reason: null };
  db.statement(
    'INSERT INTO text_queue (row, name, chat_id, reason) VALUES (@row, @name, @chatId, @reason)',
  ).run({ ...texts, row });
}

/** What is in the queue of a row belongs to an entry that was removed. */
export function eraseText(db: Database, row: number): void {
  db.statement('UPDATE text_queue SET is_erased = 1 WHERE row = ?').run(row);
}

/**
 * Brings the tables a step nearer to the ready entries, in a transaction of its own.
 * @param part `changed`: only entries that have changed since they were taken in
 * @returns false when there is nothing left to do
 */
export function followTexts(
  db: Database,
  part: 'all' | 'changed' = 'all',
  batchBytes = BATCH_BYTES,
): boolean {
  return db.write(() => {
    const state = findState(db);
    if (!state) return false;
    if (followQueue(db, state.textThrough, batchBytes)) {
      // Searches may find something else: what is kept of answers is dropped.
      writeState(db, { ...state, version: state.version + 1 });
      return true;
    }
    if ((part === 'all' || hasLeftoversToMerge(db)) && mergeLeftovers(db)) return true;
    if (part === 'changed' || state.builtThrough !== null || state.textThrough === null) return false;
    const through = addRows(db, state.textThrough, batchBytes);
    if (through === null) {
      // All segments become one, in steps: at once, the log of a million entries would take two gigabytes.
      db.statement('DELETE FROM text_leftovers').run();
      db.statement(`INSERT INTO text_leftovers (row, merging) VALUES (${NO_ENTRY}, ${ASKED_FOR})`).run();
    }
    writeState(db, { ...state, textThrough: through });
    return true;
  });
}

function followQueue(db: Database, textThrough: number | null, batchBytes: number): boolean {
  const rows = db
    .statement<QueuedText>(
      `SELECT text_queue.*, ready.body FROM text_queue LEFT JOIN ready USING (row) ORDER BY row LIMIT ${STEP_ROWS}`,
    )
    .iterate();
  const queued = takeBatch(
    rows,
    batchBytes,
    ({ name, reason, body }) => (name === null ? 0 : Buffer.byteLength(reason)) + (body?.length ?? 0),
  );
  if (queued.length === 0) return false;
  const isMany = queued.filter(({ is_erased }) => is_erased === 1).length > SECURE_MAX;
  for (const { row, name, chat_id: chatId, reason, is_erased, body } of queued) {
    const isErased = is_erased === 1;
    const isSecure = isErased && !isMany;
    if (name !== null) takeOut(db, row, { name, chatId, reason }, isSecure);
    if (body && (textThrough === null || row <= textThrough)) {
      const [frame] = readFrames(body);
      if (frame) putIn(db, row, foldTexts(readTexts(frame)));
    }
    if (name !== null && !isSecure) db.statement(ADD_LEFTOVER).run(row);
    // What a removed entry held before it was edited goes with the segments that hold it.
    if (isErased) db.statement(MERGE_LEFTOVERS_OF).run(row);
    db.statement('DELETE FROM text_queue WHERE row = ?').run(row);
  }
  command(db, 'merge', MERGE_PAGES);
  return true;
}

/**
 * Goes on writing all segments anew as one, without what was taken out of them: in steps, for that is as much as the
 * tables hold. @returns false when nothing has to go
 */
function mergeLeftovers(db: Database): boolean {
  const phase = db.statement('SELECT max(merging) FROM text_leftovers').pluck().get() as number | null;
  if (phase === null || phase === LYING) return false;
  if (phase === ASKED_FOR) {
    command(db, 'merge', -MERGE_ALL_PAGES);
    db.statement(BEGIN_MERGING).run();
    return true;
  }
  const before = countWrites(db);
  command(db, 'merge', MERGE_ALL_PAGES);
  // Each table's command writes a row of its own, whatever it finds to do.
  if (countWrites(db) - before <= 2)
    db.statement(`DELETE FROM text_leftovers WHERE merging = ${BEGUN}`).run();
  return true;
}

/** Of entries, rather than to make searches faster. */
function hasLeftoversToMerge(db: Database): boolean {
  return (
    db
      .statement(`SELECT 1 FROM text_leftovers WHERE row != ${NO_ENTRY} AND merging != ${LYING} LIMIT 1`)
      .get() !== undefined
  );
}

function countWrites(db: Database): number {
  return db.statement('SELECT total_changes()').pluck().get() as number;
}

interface QueuedText {
  readonly row: number;
  /** Null when the tables hold nothing of it. */
  readonly name: string | null;
  readonly chat_id: string;
  readonly reason: string;
  readonly is_erased: number;
  /** Null when the entry is gone. */
  readonly body: Buffer | null;
}

/** The next rows of the ready entries. @returns the last of them; null at the end */
function addRows(db: Database, after: number, batchBytes: number): number | null {
  const next = db
    .statement<{ row: number; body: Buffer }>(
      `SELECT row, body FROM ready WHERE row > ? ORDER BY row LIMIT ${STEP_ROWS}`,
    )
    .iterate(after);
  const rows = takeBatch(next, batchBytes, ({ body }) => body.length);
  for (const { row, body } of rows) {
    const [frame] = readFrames(body);
    if (frame) putIn(db, row, foldTexts(readTexts(frame)));
  }
  return rows.at(-1)?.row ?? null;
}

function putIn(db: Database, row: number, { name, chatId, reason }: SearchedTexts): void {
  db.statement('INSERT INTO pieces (rowid, name, chat_id, reason) VALUES (?, ?, ?, ?)').run(
    row,
    name,
    chatId,
    reason,
  );
  db.statement('INSERT INTO letters (rowid, grams) VALUES (?, ?)').run(
    row,
    listGrams([name, chatId, reason]),
  );
}

/** @param isSecure nothing stays but what was there before an edit; else a mark that later ones are newer, which costs far less */
function takeOut(db: Database, row: number, texts: SearchedTexts, isSecure: boolean): void {
  const { name, chatId, reason } = texts;
  if (isSecure) command(db, 'secure-delete', 1);
  db.statement("INSERT INTO pieces (pieces, rowid, name, chat_id, reason) VALUES ('delete', ?, ?, ?, ?)").run(
    row,
    name,
    chatId,
    reason,
  );
  db.statement("INSERT INTO letters (letters, rowid, grams) VALUES ('delete', ?, ?)").run(
    row,
    listGrams([name, chatId, reason]),
  );
  if (isSecure) command(db, 'secure-delete', 0);
}

/**
 * A command of FTS5 to both tables (sqlite.org/fts5.html#special_insert_commands). Its number stands in the text: a bound
 * one is a REAL, which FTS5 does not take.
 */
function command(db: Database, name: 'merge' | 'secure-delete', number: number): void {
  for (const table of ['pieces', 'letters'])
    db.connection.exec(`INSERT INTO ${table} (${table}, rank) VALUES ('${name}', ${number})`);
}

/** One that comes while others are being merged waits for the next time. */
const ADD_LEFTOVER = `INSERT INTO text_leftovers (row, merging) VALUES (?, ${LYING})
  ON CONFLICT (row) DO UPDATE SET merging = min(merging, ${ASKED_FOR})`;
/** The row of no entry stands there as long as it lasts. */
const BEGIN_MERGING = `INSERT OR REPLACE INTO text_leftovers (row, merging)
  SELECT row, ${BEGUN} FROM text_leftovers UNION ALL VALUES (${NO_ENTRY}, ${BEGUN})`;
/** All go at once: a step is not cheaper for one of them. */
const MERGE_LEFTOVERS_OF = `UPDATE text_leftovers SET merging = ${ASKED_FOR}
  WHERE merging = ${LYING} AND EXISTS (SELECT 1 FROM text_leftovers WHERE row = ? AND merging = ${LYING})`;
/** More than any code point. */
const POINTS = 0x110000;

/** Every letter and every pair of neighbours in the texts, each once, as words. */
function listGrams(texts: readonly string[]): string {
  // Numbers, for they are many: a letter by its code point, a pair beyond all letters.
  const grams = new Set<number>();
  for (const text of texts) {
    let before = -1;
    for (let at = 0; at < text.length; at += 1) {
      const point = text.codePointAt(at) as number;
      if (point > 0xffff) at += 1;
      grams.add(point);
      if (before >= 0) grams.add((before + 1) * POINTS + point);
      before = point;
    }
  }
  return Array.from(grams, encodeGram).join(' ');
}

function encodeGram(gram: number): string {
  const second = (gram % POINTS).toString(16);
  return gram < POINTS ? second : `${(Math.floor(gram / POINTS) - 1).toString(16)}z${second}`;
}
