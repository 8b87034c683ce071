import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase, type Database } from '#src/db/database.ts';
import {
  findSchemaProblem,
  migrateDatabase,
  migrationNames,
  schemaProblem,
  tooOldProblem,
} from '#src/db/migrate.ts';
import { makeEarlierDatabase, makeFolder, makeNewer } from '../../support/temporary-database.ts';

const MIGRATIONS = join(import.meta.dirname, '../../../db/migrations');

/** @returns what is wrong with a database after this work on it, read as a backup is */
async function problemAfter(
  work: (db: Database) => unknown,
  path = join(makeFolder(), 'czujka.db'),
): Promise<string | undefined> {
  {
    using made = openDatabase(path, 'write');
    await work(made);
  }
  using db = openDatabase(path, 'read');
  return findSchemaProblem(db, 'backup');
}

async function problemWith(sql: string): Promise<string | undefined> {
  return problemAfter(async (db) => {
    migrateDatabase(db);
    db.connection.exec(sql);
  });
}

it('finds none in a database of Czujka 1.0.0, before and after it is brought over', async () => {
  expect(await problemAfter(() => {}, makeEarlierDatabase())).toBeUndefined();
  expect(await problemAfter((db) => migrateDatabase(db), makeEarlierDatabase())).toBeUndefined();
});

it.each(migrationNames())('finds none after the migration %s', async (name) => {
  expect(await problemAfter((db) => migrateDatabase(db, { through: name }))).toBeUndefined();
});

it("finds none in the planner's tables, which the worker's optimize makes", async () => {
  expect(await problemWith('ANALYZE')).toBeUndefined();
});

it('finds none where comments and white space of the migrations were others', async () => {
  const folder = makeFolder();
  for (const name of migrationNames()) {
    const sql = readFileSync(join(MIGRATIONS, `${name}.sql`), 'utf8');
    const other = sql.replaceAll(/^(\s*)-- .*$/gm, '$1/* another\n comment */').replaceAll('\n  ', '\n\t\t');
    writeFileSync(join(folder, `${name}.sql`), other);
  }
  expect(await problemAfter((db) => migrateDatabase(db, { folder }))).toBeUndefined();
});

it.each([
  [
    'a trigger',
    'CREATE TRIGGER evil AFTER DELETE ON proof_images BEGIN DELETE FROM entries; END',
    'has the trigger "evil", which no migration makes',
  ],
  ['a view', 'CREATE VIEW "e\nvil" AS SELECT 1', 'has the view "e\\nvil", which no migration makes'],
  ['an index', 'CREATE INDEX evil ON entries (name)', 'has the index "evil", which no migration makes'],
  ['an index too few', 'DROP INDEX entries_by_chat_id', 'lacks the index "entries_by_chat_id"'],
  [
    'a column',
    'ALTER TABLE entries ADD COLUMN evil TEXT',
    'has another table "entries" than the migrations make',
  ],
  [
    'a part inside a comment',
    `DROP TABLE donation_keys; CREATE TABLE donation_keys (key_id TEXT PRIMARY KEY, next_index INTEGER NOT NULL) STRICT
       /* , WITHOUT ROWID */`,
    'has another table "donation_keys" than the migrations make',
  ],
  [
    'a view in the place of the table of migrations',
    `DROP TABLE kysely_migration;
       CREATE VIEW kysely_migration AS WITH RECURSIVE endless(name) AS (SELECT 1 UNION ALL SELECT 1 FROM endless)
       SELECT name, 1 AS timestamp FROM endless`,
    'is no database of Czujka',
  ],
  [
    'an older database',
    "UPDATE kysely_migration SET name = '0001_entries' WHERE name = '0001_schema'",
    tooOldProblem('').trimStart(),
  ],
])('finds %s', async (_what, sql, problem) => {
  expect(await problemWith(sql)).toBe(`backup ${problem}`);
});

it('finds a part behind a NUL, where SQL ends for SQLite', async () => {
  const problem = await problemAfter(async (db) => {
    migrateDatabase(db);
    db.connection.unsafeMode(true);
    db.connection.exec(`PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, ' STRICT', ' --' || char(0, 10) || ' STRICT')
        WHERE name = 'proof_changes'`);
  });
  expect(problem).toBe('backup has another table "proof_changes" than the migrations make');
});

it('finds a migration of a newer version', async () => {
  const problem = await problemAfter((db) => {
    migrateDatabase(db);
    makeNewer(db, '');
  });
  expect(problem).toBe(schemaProblem('backup', 'newer'));
});

it('finds that an empty file is none', async () => {
  expect(await problemAfter(() => {})).toBe('backup is no database of Czujka');
});
