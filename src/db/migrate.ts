import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { findDifference } from './compare-schemas.ts';
import { openDatabase, type Database } from './database.ts';
import { copyFolder, hasCopy } from './migration-copy.ts';
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

type SchemaState = 'current' | 'behind' | 'newer';

/**
 * Applies missing migrations in one transaction.
 * @param through name of the last migration to apply; all by default
 * @param keepCopy called before the commit with the migration that keeps earlier versions from the database, if one does
 */
export async function migrateDatabase(
  database: Database,
  folder = MIGRATIONS_FOLDER,
  through?: string,
  keepCopy: (migration: string) => Promise<void> | void = () => {},
): Promise<string[]> {
  if (readSchemaState(database, folder) === 'current') return [];
  const { connection } = database;
  // Kysely's SQLite adapter uses no transaction and no lock for migrations.
  connection.exec('BEGIN IMMEDIATE');
  try {
    const state = readSchemaState(database, folder);
    const before = appliedMigrations(connection);
    if (state === 'newer' || (state === 'behind' && isTooOld(before, folder)))
      throw new Error(schemaProblem(database.path, state, database));
    const oldest = findOldest(database);
    const replaced = isReplaced(before) ? await replaceMigrations(database, folder) : [];
    const applied = await applyMigrations(connection, folder, through);
    const next = findOldest(database);
    if (before.length > 0 && next !== undefined && next !== oldest) await keepCopy(next);
    connection.exec('COMMIT');
    return [...replaced, ...applied];
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

async function replaceMigrations(database: Database, folder: string): Promise<string[]> {
  const [first = ''] = migrationNames(folder);
  using fresh = await makeFresh(first, folder);
  const difference = findDifference(database, fresh);
  if (difference !== undefined) throw new Error(`the database ${database.path} ${difference}`);
  database
    .statement('INSERT INTO kysely_migration SELECT ?, min(timestamp) FROM kysely_migration')
    .run(first);
  database.statement('DELETE FROM kysely_migration WHERE name != ?').run(first);
  setProperty(database, OLDEST_PROPERTY, first);
  return [first];
}

/** A database in memory. */
export async function makeFresh(through?: string, folder = MIGRATIONS_FOLDER): Promise<Database> {
  const fresh = openDatabase(':memory:', 'write', { mustExist: true });
  await migrateDatabase(fresh, folder, through);
  return fresh;
}

async function applyMigrations(
  connection: Sqlite.Database,
  folder: string,
  through: string | undefined,
): Promise<string[]> {
  // Kysely would close the caller's connection.
  const database = { prepare: (source: string) => connection.prepare(source), close: () => {} };
  const kysely = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
  // Kysely refuses several statements in one query. `exec` joins the open transaction.
  const run = (name: string) => connection.exec(readFileSync(join(folder, `${name}.sql`), 'utf8'));
  const migrations = migrationNames(folder).map((name) => [name, { up: async () => void run(name) }]);
  const provider = { getMigrations: async () => Object.fromEntries(migrations) as Record<string, Migration> };
  const migrator = new Migrator({ db: kysely, provider });
  const { error, results } =
    through === undefined ? await migrator.migrateToLatest() : await migrator.migrateTo(through);
  if (error) throw new Error(`migrating ${connection.name} failed`, { cause: error });
  return (results ?? []).map((result) => result.migrationName);
}

export function readSchemaState(database: Database, folder = MIGRATIONS_FOLDER): SchemaState {
  const known = migrationNames(folder);
  const applied = appliedMigrations(database.connection);
  const isLater =
    known.some((name) => applied.includes(name)) && applied.some((name) => !known.includes(name));
  if (isLater && !known.includes(findOldest(database) ?? '')) return 'newer';
  return known.every((name) => applied.includes(name)) ? 'current' : 'behind';
}

export function isReplaced(applied: readonly string[]): boolean {
  return applied.join(' ') === REPLACED;
}

export function isTooOld(applied: readonly string[], folder = MIGRATIONS_FOLDER): boolean {
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

export function missingProblem(path: string): string {
  return `there is no database ${path}: "npm start" makes one, "czujka restore" brings one back; where it was deleted while the service runs, stop nothing and ask "czujka doctor"`;
}

export function migrationNames(folder = MIGRATIONS_FOLDER): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => name.slice(0, -'.sql'.length))
    .sort();
}

export function appliedMigrations(connection: Sqlite.Database): string[] {
  const exists = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'kysely_migration'").get();
  if (!exists) return [];
  return connection.prepare('SELECT name FROM kysely_migration ORDER BY name').pluck().all() as string[];
}
