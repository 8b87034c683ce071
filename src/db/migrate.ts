import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { MIGRATION_FUNCTIONS } from '../entries/published.ts';
import type { Database } from './database.ts';
import { copyFolder, hasCopy } from './migration-copy.ts';

const MIGRATIONS_FOLDER = join(import.meta.dirname, '../../db/migrations');

type SchemaState = 'current' | 'behind' | 'newer';

/**
 * Applies missing migrations in one transaction.
 * @param through name of the last migration to apply; all by default
 * @param before called under the write lock with the first migration, unless the database is new
 */
export async function migrateDatabase(
  database: Database,
  folder = MIGRATIONS_FOLDER,
  through?: string,
  before: (first: string) => Promise<void> | void = () => {},
): Promise<string[]> {
  if (readSchemaState(database, folder) === 'current') return [];
  const { connection } = database;
  // Kysely's SQLite adapter uses no transaction and no lock for migrations.
  for (const [name, run] of Object.entries(MIGRATION_FUNCTIONS))
    connection.function(
      name,
      { deterministic: true, varargs: true },
      run as (...values: unknown[]) => unknown,
    );
  connection.exec('BEGIN IMMEDIATE');
  try {
    if (readSchemaState(database, folder) === 'newer')
      throw new Error(schemaProblem(database.path, 'newer', database));
    const known = appliedMigrations(connection);
    const first = migrationNames(folder).find((name) => !known.includes(name));
    if (known.length > 0 && first !== undefined) await before(first);
    const applied = await applyMigrations(connection, folder, through);
    connection.exec('COMMIT');
    return applied;
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  }
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
  if (applied.some((name) => !known.includes(name))) return 'newer';
  return applied.length < known.length ? 'behind' : 'current';
}

export function schemaProblem(
  path: string,
  state: Exclude<SchemaState, 'current'>,
  database?: Database,
): string {
  if (state === 'behind')
    return `the database ${path} is behind this version: run "npm start", which migrates it, or "npm run czujka -- migrate"`;
  const known = migrationNames();
  const unknown = database && appliedMigrations(database.connection).find((name) => !known.includes(name));
  const copy = unknown === undefined ? undefined : copyFolder(path, unknown);
  const wayBack =
    copy !== undefined && hasCopy(copy)
      ? `go back to the copy from before the update: stop Czujka, move ${path}* away and run "npm run czujka -- restore ${copy} --without-removed"`
      : 'restore a backup made by this version';
  return `the database ${path} is newer than this version: update Czujka, or ${wayBack}`;
}

export function missingProblem(path: string): string {
  return `there is no database ${path}: "npm start" makes one, "npm run czujka -- restore" brings one back; where it was deleted while the service runs, stop nothing and ask "npm run czujka -- doctor"`;
}

export function readCreationTime(db: Database): number {
  const { first } = db
    .statement<{ first: string }>('SELECT min(timestamp) AS first FROM kysely_migration')
    .get() ?? { first: '' };
  return Date.parse(first) || 0;
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
