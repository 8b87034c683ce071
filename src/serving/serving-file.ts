/**
 * The read model: one throwaway SQLite file beside the database, serving/N.db, that the worker makes and follows by the
 * change log (keep-serving.ts), and that the web process and its search thread read (serving-reader.ts). It holds each
 * public entry ready to send, nine sorted orders, and full-text tables. Deleted at any moment, it is made again.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { versions } from 'node:process';
import Sqlite from 'better-sqlite3';
import { makePrivateFile, openDatabase } from '../db/database.ts';
import type { Database } from '../db/database.ts';

/** What follows from the rules of this version: with other rules or collation data, the file is made anew. */
const FORMAT = `6 icu ${versions.icu} cldr ${versions.cldr} unicode ${versions.unicode}`;

export interface ServingState {
  /** The change log that `seq` belongs to. */
  readonly history: string;
  /** Entries and orders are right up to this change. */
  readonly seq: number;
  /** Value of the database's property `popularity` that the order by views is right for. */
  readonly popularity: string;
  /** Grows with every write of the orders. */
  readonly version: number;
  /** Entries up to this row have been taken over; null: all, and there are orders. */
  readonly builtThrough: number | null;
  /** Entries up to this row are in the full-text tables; null: all. */
  readonly textThrough: number | null;
}

const SCHEMA = `
CREATE TABLE state (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  format TEXT NOT NULL,
  history TEXT NOT NULL,
  seq INTEGER NOT NULL,
  popularity TEXT NOT NULL,
  version INTEGER NOT NULL,
  built_through INTEGER,
  text_through INTEGER
) STRICT;
-- Only a mark of overwriteFreeSpace lies here.
CREATE TABLE properties (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
-- Public entries. What list pages show comes before the long text, which may lie on pages of its own.
CREATE TABLE ready (
  row INTEGER PRIMARY KEY,
  chat_id TEXT NOT NULL,
  -- Frames, see ready-entry.ts.
  summary BLOB NOT NULL,
  body BLOB NOT NULL
) STRICT;
CREATE INDEX ready_by_chat_id ON ready (chat_id);
-- What places an entry among others, as the orders know it; and its name for the check.
CREATE TABLE placed (
  row INTEGER PRIMARY KEY,
  entry_id TEXT NOT NULL,
  flags INTEGER NOT NULL,
  reported_at INTEGER NOT NULL,
  views INTEGER NOT NULL,
  name TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX placed_by_entry_id ON placed (entry_id);
-- Numbers that names share with those that look like them, see shapes.ts.
CREATE TABLE shapes (
  shape INTEGER NOT NULL,
  is_reported INTEGER NOT NULL,
  -- Of a whole key: a number for the folded name. Of a part: the rest of the key, a text. Of its letters: the key.
  told ANY NOT NULL,
  row INTEGER NOT NULL,
  PRIMARY KEY (shape, is_reported, told, row)
) STRICT, WITHOUT ROWID;
-- Orders in parts of some thousand row numbers, see orders.ts. An empty part stays, so that readers learn of it.
CREATE TABLE parts (
  ord INTEGER NOT NULL,
  position REAL NOT NULL,
  version INTEGER NOT NULL,
  crc INTEGER NOT NULL,
  rows BLOB NOT NULL,
  PRIMARY KEY (ord, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX parts_by_version ON parts (version);
-- Entries whose texts the full-text tables do not have yet as they are now; with what those hold of them, if anything.
CREATE TABLE text_queue (
  row INTEGER PRIMARY KEY,
  name TEXT,
  chat_id TEXT,
  reason TEXT,
  -- 1: the entry was removed, and nothing of its texts may stay.
  is_erased INTEGER NOT NULL DEFAULT 0
) STRICT;
-- Rows whose earlier texts lie in full-text segments until these are merged; merging: 0 until an entry of them is
-- removed, 1 when all are to go, 2 while they do.
CREATE TABLE text_leftovers (row INTEGER PRIMARY KEY, merging INTEGER NOT NULL) STRICT;
-- Three letters and more; merged by hand only. The longest comes first: a place in any other column takes two bytes more.
CREATE VIRTUAL TABLE pieces USING fts5 (reason, name, chat_id, content = '', columnsize = 0,
  tokenize = 'trigram case_sensitive 1');
-- One and two letters, each a word of hexadecimal digits. Without any detail it would be a third of the size, and FTS5's
-- secure-delete breaks such tables (seen with SQLite 3.54.1).
CREATE VIRTUAL TABLE letters USING fts5 (grams, content = '', columnsize = 0, detail = column, tokenize = 'ascii');
INSERT INTO pieces (pieces, rank) VALUES ('automerge', 0);
INSERT INTO letters (letters, rank) VALUES ('automerge', 0);
`;

/**
 * The most that SQLite maps. A page of a list is read in two thirds of the time, and what is mapped costs no memory of the
 * process. Files that are mapped are never truncated.
 */
const MAPPED_BYTES = 0x7fff0000;
/** Some six entries. Of 4 kB, a sixth would be gaps. */
const PAGE_BYTES = 8_192;
const READ_CACHE_KIB = 4 * 1024;
const NAME = /^(\d+)\.db$/;
const DAMAGED = '.damaged';
const PART = '.part';
/** Ends of the names of what lies beside a file. */
const BESIDE = ['-wal', '-shm', '-journal', DAMAGED];

export function servingFolder(databasePath: string): string {
  return join(dirname(databasePath), 'serving');
}

/** Paths, the newest first. */
export function listServingFiles(databasePath: string): string[] {
  const folder = servingFolder(databasePath);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .toSorted((one, other) => Number(other) - Number(one))
    .map((number) => join(folder, `${number}.db`));
}

/** A new file without entries, of a name that none has had. */
export function createServingFile(
  databasePath: string,
  state: Pick<ServingState, 'history' | 'seq' | 'popularity'>,
): Database {
  for (;;) {
    const path = placeWhole(databasePath, (part) => {
      const connection = new Sqlite(part);
      connection.pragma(`page_size = ${PAGE_BYTES}`);
      connection.pragma('journal_mode = WAL');
      connection.close();
      const db = openToWrite(part);
      try {
        db.write(() => {
          db.connection.exec(SCHEMA);
          db.statement('INSERT INTO state VALUES (1, @format, @history, @seq, @popularity, 0, 0, 0)').run({
            ...state,
            format: FORMAT,
          });
        });
      } finally {
        db.close();
      }
    });
    if (path !== undefined) return openToWrite(path);
  }
}

/** The same without gaps, of a newer name. When somebody takes it away before it is whole, there is no copy. */
export function copyServingFile(db: Database, databasePath: string): void {
  placeWhole(databasePath, (part) => {
    db.connection.prepare('VACUUM INTO ?').run(part);
    // Into WAL mode.
    openToWrite(part).close();
  });
}

/**
 * A file gets its name when it is whole: whoever is killed before leaves nothing that others would open, and SQLite locks
 * a file that it copies to.
 * @returns its path; undefined when somebody took it away before (removeStrays)
 */
function placeWhole(databasePath: string, make: (part: string) => void): string | undefined {
  const path = newServingPath(databasePath);
  const part = path + PART;
  makePrivateFile(part);
  try {
    make(part);
    if (!existsSync(part)) return undefined;
    renameSync(part, path);
    return path;
  } finally {
    removeServingFile(part);
  }
}

/** Of a file that is about to be made, in a folder for the service's own user. */
function newServingPath(databasePath: string): string {
  const folder = servingFolder(databasePath);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const [newest] = listServingFiles(databasePath);
  const number = Number(NAME.exec(newest?.slice(folder.length + 1) ?? '')?.[1] ?? 0);
  // The time as well: a name that was deleted a moment ago may still be open somewhere.
  return join(folder, `${Math.max(number + 1, Date.now())}.db`);
}

/** @throws when it is no database */
export function openToWrite(path: string): Database {
  const db = openDatabase(path, 'write');
  // What a power cut takes is made again.
  db.connection.pragma('synchronous = NORMAL');
  return db;
}

/** @throws when it is no database */
export function openToRead(path: string): Database {
  const db = openDatabase(path, 'read');
  db.connection.pragma(`cache_size = -${READ_CACHE_KIB}`);
  db.connection.pragma(`mmap_size = ${MAPPED_BYTES}`);
  return db;
}

/** Undefined when it is of another version of the rules. @throws when the file is damaged */
export function findState(db: Database): ServingState | undefined {
  const row = db.statement<ServingState & { format: string }>(SELECT_STATE).get();
  return row?.format === FORMAT ? row : undefined;
}

const SELECT_STATE = `SELECT format, history, seq, popularity, version, built_through AS builtThrough,
  text_through AS textThrough FROM state`;

export function writeState(db: Database, state: ServingState): void {
  db.statement(
    `UPDATE state SET history = @history, seq = @seq, popularity = @popularity, version = @version,
       built_through = @builtThrough, text_through = @textThrough`,
  ).run(state);
}

/** Tells the worker, whatever process or thread has found it, that the file is to be made anew. */
export function markDamaged(path: string): void {
  try {
    if (existsSync(path)) writeFileSync(path + DAMAGED, '');
  } catch {
    // The worker's daily check finds it too.
  }
}

export function isMarkedDamaged(path: string): boolean {
  return existsSync(path + DAMAGED);
}

/** Whoever has it open goes on reading it until he looks for another. */
export function removeServingFile(path: string): void {
  for (const end of ['', ...BESIDE]) rmSync(path + end, { force: true });
}

/** What belongs to no file: copies that are not finished, and what a killed process left of a removed one. */
export function removeStrays(databasePath: string): void {
  const folder = servingFolder(databasePath);
  if (!existsSync(folder)) return;
  const names = readdirSync(folder);
  const known = new Set(
    names.filter((name) => NAME.test(name)).flatMap((name) => ['', ...BESIDE].map((end) => name + end)),
  );
  for (const name of names)
    if (!known.has(name)) rmSync(join(folder, name), { force: true, recursive: true });
}

/** Which file lies at the path now; undefined when there is none. */
export function identifyFile(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && `${path} ${stat.dev} ${stat.ino}`;
}

/**
 * Whether an error says that the file is not what was written, rather than that it is busy or gone, that the disk is full,
 * or that a statement of ours is wrong.
 */
export function isDamage(error: unknown): boolean {
  if (error instanceof DamagedError) return true;
  const { code = '' } = error as { code?: string };
  if (code === 'SQLITE_ERROR') return /no such table|fts5|vtable/.test(String(error));
  return /^SQLITE_(?:CORRUPT|NOTADB|IOERR_(?:READ|SHORT_READ|DATA|CORRUPTFS)|FORMAT|MISMATCH|TOOBIG|RANGE)/.test(
    code,
  );
}

/** Reads of the database: what goes wrong there must not be taken for damage of the serving file. */
export function ofDatabase<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`the database cannot be read: ${String(error)}`, { cause: error });
  }
}

/** Whether an error says that there is no room on the disk. */
export function isFull(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return (
    code === 'SQLITE_FULL' ||
    code === 'ENOSPC' ||
    code === 'SQLITE_IOERR_SHMSIZE' ||
    code === 'SQLITE_IOERR_WRITE'
  );
}

export class DamagedError extends Error {
  override name = 'DamagedError';
}
