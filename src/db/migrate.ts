import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { findDifference, readSchema } from './compare-schemas.ts';
import { openDatabase, type Database, type Transaction } from './database.ts';
import { copyFolder, hasCopy, makeCopy } from './migration-copy.ts';
import { findProperty, setProperty } from './properties.ts';

const MIGRATIONS_FOLDER = join(import.meta.dirname, '../../db/migrations');
/** The migrations of Czujka 1.0.0, in place of which the first one stands. */
const REPLACED =
  '0001_entries 0002_entry_counts 0003_list_indexes 0030_proof_images 0040_change_followers 0041_snapshots 0050_status ' +
  '0070_donations 0080_read_model 0081_status_write_time 0200_removals 0300_published 0301_worker_lock 0302_views_file ' +
  '0303_earlier_logs 0304_look_alike_hashes 0305_bookmarks 0306_redactions 0307_former_names 0308_kinds_of_change ' +
  '0309_no_status_samples';
/** A version that knows this migration may read and write the database, because later ones only added. */
const OLDEST_PROPERTY = 'oldest_schema';

/** Kysely's Migrator made them so, and earlier versions use it. */
const BOOKKEEPING = `
  CREATE TABLE IF NOT EXISTS "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
  CREATE TABLE IF NOT EXISTS "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
  INSERT OR IGNORE INTO kysely_migration_lock VALUES ('migration_lock', 0)`;

type SchemaState = 'current' | 'behind' | 'newer';

interface MigrateOptions {
  readonly folder?: string;
  /** Name of the last migration to apply; all by default. */
  readonly through?: string | undefined;
  /** Keeps a copy from before a migration that keeps earlier versions from the database. */
  readonly makesCopy?: boolean;
}

/** Applies missing migrations in one transaction. @returns their names */
export function migrateDatabase(
  database: Database,
  { folder = MIGRATIONS_FOLDER, through, makesCopy = false }: MigrateOptions = {},
): string[] {
  if (readSchemaState(database, folder) === 'current') return [];
  return database.write((tx) => {
    const state = readSchemaState(database, folder);
    const before = appliedMigrations(database.connection);
    // Another process may have been quicker.
    if (state === 'current') return [];
    if (state === 'newer' || isTooOld(before, folder))
      throw new Error(schemaProblem(database.path, state, database));
    const oldest = findOldest(database);
    const replaced = isReplaced(before) ? replaceMigrations(tx, folder) : [];
    const applied = applyMigrations(database.connection, folder, through);
    const next = findOldest(database);
    if (makesCopy && before.length > 0 && next !== undefined && next !== oldest) makeCopy(database, next);
    return [...replaced, ...applied];
  });
}

function replaceMigrations(tx: Transaction, folder: string): string[] {
  const [first = ''] = migrationNames(folder);
  using fresh = makeFresh(first, folder);
  const difference = findDifference(tx, fresh);
  if (difference !== undefined) throw new Error(`the database ${tx.path} ${difference}`);
  tx.statement('INSERT INTO kysely_migration SELECT ?, min(timestamp) FROM kysely_migration').run(first);
  tx.statement('DELETE FROM kysely_migration WHERE name != ?').run(first);
  setProperty(tx, OLDEST_PROPERTY, first);
  return [first];
}

/** A database in memory. */
export function makeFresh(through?: string, folder = MIGRATIONS_FOLDER): Database {
  const fresh = openDatabase(':memory:', 'write', { mustExist: true });
  migrateDatabase(fresh, { folder, through });
  return fresh;
}

function applyMigrations(connection: Sqlite.Database, folder: string, through: string | undefined): string[] {
  try {
    connection.exec(BOOKKEEPING);
    const known = migrationNames(folder);
    const before = appliedMigrations(connection);
    if (before.some((name, index) => name !== known[index]))
      throw new Error(`it has the migrations ${before.join()}, which no version applied`);
    const missing = known.slice(before.length).filter((name) => through === undefined || name <= through);
    for (const name of missing) {
      connection.exec(readFileSync(join(folder, `${name}.sql`), 'utf8'));
      connection.prepare('INSERT INTO kysely_migration VALUES (?, ?)').run(name, new Date().toISOString());
    }
    return missing;
  } catch (cause) {
    throw new Error(`migrating ${connection.name} failed`, { cause });
  }
}

export function readSchemaState(database: Database, folder = MIGRATIONS_FOLDER): SchemaState {
  const known = migrationNames(folder);
  const applied = appliedMigrations(database.connection);
  const isLater =
    known.some((name) => applied.includes(name)) && applied.some((name) => !known.includes(name));
  if (isLater && !known.includes(findOldest(database) ?? '')) return 'newer';
  return known.every((name) => applied.includes(name)) ? 'current' : 'behind';
}

function isReplaced(applied: readonly string[]): boolean {
  return applied.join(' ') === REPLACED;
}

function isTooOld(applied: readonly string[], folder = MIGRATIONS_FOLDER): boolean {
  const [first = ''] = migrationNames(folder);
  return applied.length > 0 && !applied.includes(first) && !isReplaced(applied);
}

function findOldest(database: Database): string | undefined {
  const hasProperties = database.statement("SELECT 1 FROM sqlite_schema WHERE name = 'properties'").get();
  return hasProperties === undefined ? undefined : findProperty(database, OLDEST_PROPERTY);
}

export function schemaProblem(
  path: string,
  state: Exclude<SchemaState, 'current'>,
  database?: Database,
): string {
  if (state === 'behind')
    return database && isTooOld(appliedMigrations(database.connection))
      ? tooOldProblem(`the database ${path}`)
      : `the database ${path} is behind this version: run "npm start", which migrates it, or "czujka migrate"`;
  const oldest = database && findOldest(database);
  const copy = oldest === undefined ? undefined : copyFolder(path, oldest);
  const wayBack =
    copy !== undefined && hasCopy(copy)
      ? `go back to the copy from before the update: stop Czujka, move ${path}* away and run "czujka restore ${copy} --without-removed"`
      : 'restore a backup made by this version';
  return `the database ${path} is newer than this version: update Czujka, or ${wayBack}`;
}

export function tooOldProblem(name: string): string {
  return `${name} lacks migrations of Czujka 1.0.0, which brings older ones over: start that version once`;
}

/**
 * Triggers run on a write and views on a read, so a foreign schema is compared first, on a read-only connection.
 * @param takesLater takes what a later version added @returns a sentence; undefined when the schema is right
 */
export function findSchemaProblem(db: Database, name: string, takesLater = false): string | undefined {
  const known = migrationNames();
  const [first = ''] = known;
  const found = readSchema(db);
  using empty = makeFresh(first);
  const isKnown = readSchema(empty)
    .filter(([object]) => object.includes('"kysely_'))
    .every(([object, definition]) => found.some(([other, same]) => other === object && same === definition));
  const applied = isKnown ? appliedMigrations(db.connection) : [];
  if (applied.length === 0) return `${name} is no database of Czujka`;
  if (isTooOld(applied)) return tooOldProblem(name);
  if (!isReplaced(applied)) {
    if (applied.some((migration) => !known.includes(migration)))
      return takesLater && readSchemaState(db) === 'current' ? undefined : schemaProblem(name, 'newer');
    const missing = known.slice(0, applied.length).find((migration) => !applied.includes(migration));
    if (missing !== undefined) return `${name} lacks the migration ${missing}, and has later ones`;
  }
  using fresh = makeFresh(isReplaced(applied) ? first : (applied.at(-1) ?? first));
  const difference = findDifference(db, fresh);
  return difference && `${name} ${difference}`;
}

export function missingProblem(path: string): string {
  return `there is no database ${path}: "npm start" makes one, "czujka restore" brings one back; where it was deleted while the service runs, stop nothing and ask "czujka doctor"`;
}

export function migrationNames(folder = MIGRATIONS_FOLDER): string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return files.map((name) => basename(name, '.sql')).sort();
}

export function appliedMigrations(connection: Sqlite.Database): string[] {
  const exists = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'kysely_migration'").get();
  if (!exists) return [];
  return connection.prepare('SELECT name FROM kysely_migration ORDER BY name').pluck().all() as string[];
}
