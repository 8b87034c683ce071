/** FTS5 over folded texts (trigrams; one and two letters), which Kysely does not know. search.db can be made again. */
import { rmSync } from 'node:fs';
import { besideDatabase } from '../data-files.ts';
import type { LogHead } from '../changes/change-log.ts';
import { identifyFile, openDatabase, type Database } from '../db/database.ts';
import type { ListEntry } from '../entries/entry-schema.ts';
import { foldText } from '../text/fold-text.ts';
import { visibleText } from '../text/visible-text.ts';

/** Version of the tables and of folding; a file of another one is rebuilt. */
const FORMAT = 3;
const MAPPED_BYTES = 0x7fff0000;

export const SEARCH_SCHEMA = `
CREATE TABLE state (format INTEGER NOT NULL, history TEXT NOT NULL, seq INTEGER NOT NULL) STRICT;
-- Folded. The longest comes first: a place in any other column takes two bytes more.
CREATE TABLE texts (row INTEGER PRIMARY KEY, entry_id TEXT NOT NULL UNIQUE, reason TEXT NOT NULL, name TEXT NOT NULL,
  chat_id TEXT NOT NULL) STRICT;
CREATE VIRTUAL TABLE pieces USING fts5 (reason, name, chat_id, content = 'texts', content_rowid = 'row', columnsize = 0,
  tokenize = 'trigram case_sensitive 1');
-- One and two letters, each a word of hexadecimal digits. Without any detail it would be a third of the size, and FTS5's
-- secure-delete breaks such tables (seen with SQLite 3.54.1).
CREATE VIRTUAL TABLE letters USING fts5 (grams, content = '', columnsize = 0, detail = column, tokenize = 'ascii');
`;
const TABLES = ['pieces', 'letters'];
/** While a file is filled, its segments are merged once, at the end, which leaves no deleted text. FTS5 has room for 2,000. */
export const FILLING = { automerge: 0, crisismerge: 500 };
/** FTS5's own numbers; deleted texts are overwritten. */
export const FILLED = { automerge: 4, crisismerge: 16, 'secure-delete': 1 };

interface SearchedTexts {
  readonly name: string;
  readonly chatId: string;
  readonly reason: string;
}

export function searchPath(databasePath: string): string {
  return besideDatabase(databasePath, 'search.db');
}

export function openSearchFile(path: string, mode: 'read' | 'write'): Database {
  const db = openDatabase(path, mode);
  if (mode === 'read') db.connection.pragma(`mmap_size = ${MAPPED_BYTES}`);
  // A power cut may lose recent writes, because they can be repeated.
  else db.connection.pragma('synchronous = NORMAL');
  return db;
}

export class DamagedSearchError extends Error {
  override name = 'DamagedSearchError';
}

export function createSearchHandle(databasePath: string, mode: 'read' | 'write') {
  const path = searchPath(databasePath);
  let current: { readonly db: Database; readonly identity: string } | undefined;
  const close = (): void => {
    current?.db.close();
    current = undefined;
  };
  return {
    close,
    /** @throws {DamagedSearchError} after it deleted a damaged file, which the worker makes again */
    use<T>(this: void, work: () => T): T {
      try {
        return work();
      } catch (error) {
        const { code = '', message } = error as Error & { code?: string };
        // FTS5 says the last when its settings cannot be read.
        if (
          !/^SQLITE_(?:CORRUPT|NOTADB|IOERR_SHORT_READ)|vtable constructor failed/.test(`${code} ${message}`)
        )
          throw error;
        const damaged = current?.identity ?? identifyFile(path);
        close();
        if (identifyFile(path) === damaged) rmSync(path, { force: true });
        throw new DamagedSearchError(`${path} was damaged; the worker makes it again`, { cause: error });
      }
    },
    /** @param readHead called after the file is opened, because the file must not be newer */
    open(readHead: () => LogHead): Database | undefined {
      const identity = identifyFile(path);
      if (current?.identity !== identity) close();
      if (identity === undefined) return undefined;
      current ??= { db: openSearchFile(path, mode), identity };
      const { db } = current;
      const { logId, seq } = readHead();
      const state = findSearchState(db);
      return state?.logId === logId && state.seq <= seq ? db : undefined;
    },
  };
}

export function findSearchState(db: Database): LogHead | undefined {
  return db.statement<LogHead>('SELECT history AS logId, seq FROM state WHERE format = ?').get(FORMAT);
}

export function writeSearchState(db: Database, { logId, seq }: LogHead): void {
  db.statement('INSERT INTO state VALUES (?, ?, ?)').run(FORMAT, logId, seq);
  db.connection.pragma(`user_version = ${seq}`);
}

/** The change from which on the file was changed in place; 0 in a file of an earlier version. */
export function findMadeSeq(db: Database): number {
  return db.connection.pragma('user_version', { simple: true }) as number;
}

export function moveSearchState(db: Database, seq: number): void {
  db.statement('UPDATE state SET seq = ?').run(seq);
}

export function countTexts(db: Database): number {
  return db.statement('SELECT count(*) FROM texts').pluck().get() as number;
}

function foldedTexts({ name, id, descHtml }: ListEntry): SearchedTexts {
  return { name: foldText(name), chatId: foldText(id), reason: foldText(visibleText(descHtml)) };
}

export function containsText(entry: ListEntry, folded: string): boolean {
  const { name, chatId, reason } = foldedTexts(entry);
  return name.includes(folded) || chatId.includes(folded) || reason.includes(folded);
}

const TRIGRAM_LETTERS = 3;

export function matchRows(db: Database, folded: string): number[] {
  if ([...folded].length >= TRIGRAM_LETTERS) {
    const phrase = `"${folded.replaceAll('"', '""')}"`;
    return db.statement('SELECT rowid FROM pieces WHERE pieces MATCH ?').pluck().all(phrase) as number[];
  }
  // The last gram is the whole text.
  const word = listGrams([folded]).split(' ').at(-1);
  return db.statement('SELECT rowid FROM letters WHERE letters MATCH ?').pluck().all(word) as number[];
}

export function indexTexts(db: Database, row: number, entry: ListEntry): void {
  const texts = foldedTexts(entry);
  db.statement(
    'INSERT INTO texts (row, entry_id, reason, name, chat_id) VALUES (@row, @entryId, @reason, @name, @chatId)',
  ).run({ ...texts, row, entryId: entry._id });
  writeIndexes(db, null, { ...texts, row });
}

export function deleteTexts(db: Database, entryId: string): void {
  const texts = db
    .statement<IndexedTexts>('SELECT row, reason, name, chat_id AS chatId FROM texts WHERE entry_id = ?')
    .get(entryId);
  if (!texts) return;
  writeIndexes(db, 'delete', texts);
  db.statement('DELETE FROM texts WHERE row = ?').run(texts.row);
}

type IndexedTexts = SearchedTexts & { readonly row: number };

/** @param command of FTS5; null inserts */
function writeIndexes(
  db: Database,
  command: 'delete' | null,
  { row, name, chatId, reason }: IndexedTexts,
): void {
  const insert = 'INSERT INTO pieces (pieces, rowid, reason, name, chat_id) VALUES (?, ?, ?, ?, ?)';
  db.statement(insert).run(command, row, reason, name, chatId);
  const grams = listGrams([name, chatId, reason]);
  db.statement('INSERT INTO letters (letters, rowid, grams) VALUES (?, ?, ?)').run(command, row, grams);
}

/** @param settings FILLING or FILLED */
export function configureTables(db: Database, settings: Readonly<Record<string, number>>): void {
  for (const table of TABLES)
    for (const [name, value] of Object.entries(settings)) command(db, table, name, value);
}

/** The number is not a parameter, because better-sqlite3 binds a REAL, which FTS5 refuses. */
function command(db: Database, table: string, name: string, value: number): void {
  db.connection.exec(`INSERT INTO ${table} (${table}, rank) VALUES ('${name}', ${value})`);
}

const MERGE_PAGES = 1_000;

export function* mergeSegments(db: Database): Generator<void> {
  for (const table of TABLES) {
    for (let pages = -MERGE_PAGES; ; pages = MERGE_PAGES) {
      const before = countWrites(db);
      command(db, table, 'merge', pages);
      yield;
      // The command itself counts as one write.
      if (pages > 0 && countWrites(db) - before <= 1) break;
    }
  }
}

function countWrites(db: Database): number {
  return db.statement('SELECT total_changes()').pluck().get() as number;
}

const POINTS = 0x110000;

/** Every letter and every pair of neighbours, each once, as words. */
function listGrams(texts: readonly string[]): string {
  // Numbers, because they are many: a code point, or a pair above all code points.
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
