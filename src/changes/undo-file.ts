/**
 * `undo.db`: entries as they were before an import replaced them. It is in no backup. A damaged file is moved to
 * `undo.db.damaged`, where it stays until texts are to be erased, because nothing can be erased from it.
 */
import { existsSync, renameSync, statSync } from 'node:fs';
import { besideDatabase } from '../data-files.ts';
import { checkFile } from '../db/check-file.ts';
import { makePrivateFile, openDatabase, removeDatabaseFile, type Database } from '../db/database.ts';
import type { RetentionTime } from '../db/retention-time.ts';
import { truncateWal } from '../db/truncate-wal.ts';
import { DAY_MS } from '../text/calendar.ts';

export const UNDO_DAYS = 30;

export interface ReplacedEntry {
  readonly entryId: string;
  /** A record of the import format as JSON, with proof files named by SHA-256. */
  readonly record: string;
  readonly files: Readonly<Record<string, string | null>>;
}

const SCHEMA = `CREATE TABLE IF NOT EXISTS replaced (
  import TEXT NOT NULL,
  at INTEGER NOT NULL,
  entry_id TEXT NOT NULL,
  record TEXT NOT NULL,
  files TEXT NOT NULL,
  PRIMARY KEY (import, entry_id)
) STRICT, WITHOUT ROWID;
-- Each removal looks for its entry, and each sweep of proof files for files.
CREATE INDEX IF NOT EXISTS replaced_by_entry ON replaced (entry_id);
CREATE INDEX IF NOT EXISTS replaced_with_files ON replaced (files) WHERE files <> '{}'`;

export function undoPath(databasePath: string): string {
  return besideDatabase(databasePath, 'undo.db');
}

export function storeReplaced(
  databasePath: string,
  key: string,
  now: number,
  replaced: readonly ReplacedEntry[],
): void {
  makePrivateFile(undoPath(databasePath));
  withUndoFile(databasePath, (db) =>
    db.write(() => {
      const insert = db.statement(
        'INSERT INTO replaced (import, at, entry_id, record, files) VALUES (?, ?, ?, ?, ?)',
      );
      for (const { entryId, record, files } of replaced)
        insert.run(key, now, entryId, record, JSON.stringify(files));
    }),
  );
}

/** @returns `_id`s, without those of entries that had something withdrawn since */
export function listReplacedIds(databasePath: string, key: string): ReadonlySet<string> {
  const entryIds = withUndoFile(databasePath, (db) => {
    assertWhole(db);
    return db.statement<string>('SELECT entry_id FROM replaced WHERE import = ?').pluck().all(key);
  });
  return new Set(entryIds);
}

export function readReplacedEntries(databasePath: string, key: string, entryIds: readonly string[]) {
  const replaced = withUndoFile(databasePath, (db) =>
    db
      .statement<{ entryId: string; record: string; files: string }>(
        `SELECT entry_id AS entryId, record, files FROM replaced
          WHERE import = ? AND entry_id IN (SELECT value FROM json_each(?))`,
      )
      .all(key, JSON.stringify(entryIds)),
  );
  return (replaced ?? []).map((row) => ({ ...row, files: JSON.parse(row.files) as ReplacedEntry['files'] }));
}

export function listReplacedFiles(databasePath: string): ReadonlySet<string> {
  const files = "SELECT DISTINCT key FROM replaced, json_each(files) WHERE files <> '{}'";
  return new Set(withUndoFile(databasePath, (db) => db.statement<string>(files).pluck().all()));
}

export function eraseReplaced(databasePath: string, entryIds: readonly string[]): void {
  try {
    eraseWhere(databasePath, 'entry_id IN (SELECT value FROM json_each(?))', JSON.stringify(entryIds));
  } finally {
    removeDatabaseFile(damagedPath(databasePath));
  }
}

export function pruneReplaced(databasePath: string, { edge, latest, isBelieved }: RetentionTime): void {
  const before = edge - UNDO_DAYS * DAY_MS;
  const damaged = statSync(damagedPath(databasePath), { throwIfNoEntry: false });
  if (damaged && damaged.mtimeMs < before) removeDatabaseFile(damagedPath(databasePath));
  eraseWhere(databasePath, 'at < ?', before);
  if (!isBelieved) return;
  // An import under a wrong clock is kept no longer than others.
  withUndoFile(databasePath, (db) => {
    db.statement('UPDATE replaced SET at = ? WHERE at > ?').run(edge, latest);
  });
}

export function forgetImport(databasePath: string, key: string): void {
  // The entries have these texts again, so the WAL may keep them for a while.
  withUndoFile(databasePath, (db) => void deleteReplaced(db, 'import = ?', key));
}

function eraseWhere(databasePath: string, condition: string, value: string | number): void {
  withUndoFile(databasePath, (db) => {
    if (deleteReplaced(db, condition, value) > 0 && !truncateWal(db))
      throw new Error('something reads undo.db without a pause');
  });
}

function deleteReplaced(db: Database, condition: string, value: string | number): number {
  return db.statement(`DELETE FROM replaced WHERE ${condition}`).run(value).changes;
}

class DamagedError extends Error {}

/** A truncated file can be read in part, with wrong results. */
function assertWhole(db: Database): void {
  const [problem] = checkFile(db);
  if (problem !== undefined) throw new DamagedError(problem);
}

/** @returns undefined without a file. @throws when it is damaged; the next call finds none */
function withUndoFile<T>(databasePath: string, work: (db: Database) => T): T | undefined {
  const path = undoPath(databasePath);
  if (!existsSync(path)) return undefined;
  try {
    using db = openDatabase(path, 'write');
    try {
      // A verb may have been killed between making the file and filling it.
      db.connection.exec(SCHEMA);
      return work(db);
    } catch (error) {
      // Texts of a damaged file may be no JSON any more.
      if (codeOf(error) === 'SQLITE_ERROR') assertWhole(db);
      throw error;
    }
  } catch (error) {
    // Every other code says that the disk is full, read-only or busy: the file is whole.
    if (!(error instanceof DamagedError) && !/^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error))) throw error;
    for (const suffix of ['', '-wal', '-shm'])
      if (existsSync(path + suffix)) renameSync(path + suffix, damagedPath(databasePath) + suffix);
    throw new Error(
      `${path} is damaged: imports until now cannot be taken back; it lies in ${damagedPath(databasePath)} until texts are to be erased`,
      { cause: error },
    );
  }
}

function codeOf(error: unknown): string {
  return String((error as { code?: string }).code);
}

function damagedPath(databasePath: string): string {
  return `${undoPath(databasePath)}.damaged`;
}
