/** `undo.db`: entries as they were before an import replaced them. It is in no backup. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkFile } from '../db/check-file.ts';
import { makePrivateFile, openDatabase, removeDatabaseFile, type Database } from '../db/database.ts';
import { truncateWal } from '../db/truncate-wal.ts';

export const UNDO_DAYS = 30;
export const DAY_MS = 86_400_000;

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
) STRICT, WITHOUT ROWID`;

export function undoPath(databasePath: string): string {
  return join(dirname(databasePath), 'undo.db');
}

export function keepReplaced(
  databasePath: string,
  key: string,
  now: number,
  replaced: Iterable<ReplacedEntry>,
): void {
  makePrivateFile(undoPath(databasePath));
  const isKept = withUndoFile(databasePath, (db) => {
    db.connection.exec(SCHEMA);
    db.write(() => {
      const insert = db.statement(
        'INSERT INTO replaced (import, at, entry_id, record, files) VALUES (?, ?, ?, ?, ?)',
      );
      for (const { entryId, record, files } of replaced)
        insert.run(key, now, entryId, record, JSON.stringify(files));
    });
    return true;
  });
  if (!isKept) throw new Error(`${undoPath(databasePath)} was damaged and is deleted; import the file again`);
}

/** Without entries that had something withdrawn since. */
export function listReplaced(databasePath: string, key: string): ReplacedEntry[] {
  const replaced = withUndoFile(databasePath, (db) => {
    // A truncated file can be read in part, with wrong results.
    if (checkFile(db).length > 0) return [];
    return db
      .statement<{ entryId: string; record: string; files: string }>(
        'SELECT entry_id AS entryId, record, files FROM replaced WHERE import = ?',
      )
      .all(key);
  });
  return (replaced ?? []).map((row) => ({ ...row, files: JSON.parse(row.files) as ReplacedEntry['files'] }));
}

export function listReplacedFiles(databasePath: string): ReadonlySet<string> {
  const files = 'SELECT DISTINCT key FROM replaced, json_each(files)';
  return new Set(withUndoFile(databasePath, (db) => db.statement<string>(files).pluck().all()));
}

export function forgetReplaced(databasePath: string, entryIds: readonly string[]): void {
  erase(databasePath, 'entry_id IN (SELECT value FROM json_each(?))', JSON.stringify(entryIds));
}

export function pruneReplaced(databasePath: string, now: number): void {
  erase(databasePath, 'at < ?', now - UNDO_DAYS * DAY_MS);
}

export function forgetImport(databasePath: string, key: string): void {
  // The entries have these texts again, so the WAL may keep them for a while.
  withUndoFile(databasePath, (db) => void deleteReplaced(db, 'import = ?', key));
}

function erase(databasePath: string, condition: string, value: string | number): void {
  withUndoFile(databasePath, (db) => {
    if (deleteReplaced(db, condition, value) > 0 && !truncateWal(db))
      throw new Error('something reads undo.db without a pause');
  });
}

function deleteReplaced(db: Database, condition: string, value: string | number): number {
  return db.statement(`DELETE FROM replaced WHERE ${condition}`).run(value).changes;
}

/** Deletes a damaged file, which may hold texts that nothing could erase from it. @returns undefined without a file */
function withUndoFile<T>(databasePath: string, work: (db: Database) => T): T | undefined {
  const path = undoPath(databasePath);
  if (!existsSync(path)) return undefined;
  try {
    using db = openDatabase(path, 'write');
    return work(db);
  } catch (error) {
    const { code } = error as { code?: string };
    const isDamaged =
      code?.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB' || code === 'SQLITE_ERROR';
    if (!isDamaged) throw error;
    removeDatabaseFile(path);
    return undefined;
  }
}
