/** A real, migrated SQLite file in a folder of its own; it lasts as long as the test run. */
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { inject } from 'vitest';
import { openDatabase, type Database } from '#src/db/database.ts';
import { migrateDatabase } from '#src/db/migrate.ts';

export function makeFolder(): string {
  return mkdtempSync(join(inject('temporaryRoot'), 'folder-'));
}

/** A handle for writing; it is closed with the worker that runs the test file. */
export async function makeDatabase(folder = makeFolder()): Promise<Database> {
  const db = openDatabase(join(folder, 'czujka.db'), 'write');
  migrateDatabase(db);
  return db;
}

/** The database that Czujka 1.0.0 made of a dozen sample entries, one of them removed and one redacted. */
export function makeEarlierDatabase(path = join(makeFolder(), 'czujka.db')): string {
  const packed = readFileSync(join(import.meta.dirname, 'database-1.0.0.db.zst'));
  writeFileSync(path, zstdDecompressSync(packed));
  return path;
}

/** @returns a folder with the migrations of this version, and a later one with this SQL */
export function makeLaterMigrations(sql: string): string {
  const folder = makeFolder();
  cpSync(join(import.meta.dirname, '../../db/migrations'), folder, { recursive: true });
  writeFileSync(join(folder, '9999_future.sql'), sql);
  return folder;
}

/** A migration with this keeps this version away from the database. */
export const KEEPS_EARLIER_OUT = "UPDATE properties SET value = '9999_future' WHERE key = 'oldest_schema';";

export function makeNewer(db: Database, sql = KEEPS_EARLIER_OUT): void {
  migrateDatabase(db, { folder: makeLaterMigrations(sql) });
}
