import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCreationTime } from '#src/changes/change-log.ts';
import { openDatabase, type Database } from '#src/db/database.ts';
import { findDifference } from '#src/db/compare-schemas.ts';
import {
  makeFresh,
  migrateDatabase,
  migrationNames,
  readSchemaState,
  schemaProblem,
  tooOldProblem,
} from '#src/db/migrate.ts';
import { openReader, SchemaError } from '#src/db/reader.ts';
import { listEverything } from '../../support/list-everything.ts';
import { importRecords, makeRecord } from '../../support/make-entries.ts';
import {
  KEEPS_EARLIER_OUT,
  makeEarlierDatabase,
  makeFolder,
  makeNewer,
} from '../../support/temporary-database.ts';

const FIRST = '0001_schema';

const makePath = (): string => join(makeFolder(), 'czujka.db');
const open = (path = makePath()): Database => openDatabase(path, 'write');

function makeMigrations(files: Readonly<Record<string, string>>): string {
  const folder = makeFolder();
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(folder, `${name}.sql`), sql);
  return folder;
}

function readSchema(db: Database) {
  return db.connection
    .prepare<[], { name: string; tbl_name: string }>(
      'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name',
    )
    .all();
}

describe('migrateDatabase', () => {
  it('brings an empty database to this version, names what it applied, and has nothing to do then', async () => {
    using db = open();
    expect(migrateDatabase(db)).toEqual(migrationNames());
    const schema = readSchema(db);
    expect(migrateDatabase(db)).toEqual([]);
    expect(readSchema(db)).toEqual(schema);
  });

  it('refuses to work without its migrations', () => {
    using db = open();
    expect(() => migrateDatabase(db, { folder: join(makeFolder(), 'none') })).toThrow('ENOENT');
  });

  it('applies only what is missing, in order of name', async () => {
    const path = makePath();
    const early = { '0001_a': 'CREATE TABLE a (x);', '0002_b': 'ALTER TABLE a ADD COLUMN y;' };
    {
      using db = open(path);
      migrateDatabase(db, { folder: makeMigrations(early) });
    }
    const late = { ...early, '0010_d': 'DROP TABLE c;', '0009_c': 'CREATE TABLE c (x);' };
    using db = open(path);
    expect(migrateDatabase(db, { folder: makeMigrations(late) })).toEqual(['0009_c', '0010_d']);
  });

  it('changes nothing when a migration fails, not even by those before it', async () => {
    const good = { '0001_a': 'CREATE TABLE a (x);' };
    const broken = { ...good, '0002_b': 'CREATE TABLE b (x);', '0003_c': 'CREATE TABLE c (x); CREATE d;' };
    const path = makePath();
    using db = open(path);
    migrateDatabase(db, { folder: makeMigrations(good) });
    const before = readSchema(db);
    const folderOfBroken = makeMigrations(broken);
    const cause: unknown = expect.objectContaining({
      message: expect.stringContaining('syntax error') as string,
    });
    const error = expect.objectContaining({ cause }) as Error;
    expect(() => migrateDatabase(db, { folder: folderOfBroken })).toThrow(error);
    expect(readSchema(db)).toEqual(before);
    expect(readSchemaState(db, folderOfBroken)).toBe('behind');
    expect(db.connection.inTransaction).toBe(false);
  });
});

it('refuses a database that has a later migration, but lacks one of this version', async () => {
  using db = open();
  migrateDatabase(db);
  makeNewer(db, '');
  db.connection.prepare('DELETE FROM kysely_migration WHERE name = ?').run(migrationNames().at(-1));
  expect(() => migrateDatabase(db)).toThrow('failed');
});

describe('a database of Czujka 1.0.0', () => {
  const TABLES =
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'kysely_%' ORDER BY 1";
  const readRows = (db: Database) =>
    (db.connection.prepare(TABLES).pluck().all() as string[]).map((table) => [
      table,
      db.connection.prepare(`SELECT * FROM ${table}`).all(),
    ]);

  it('becomes one of the first migration: the same schema and rows, and the time when it was made', async () => {
    using db = open(makeEarlierDatabase());
    const [made, before] = [readCreationTime(db), readRows(db)];
    expect(migrateDatabase(db, { through: FIRST })).toEqual([FIRST]);
    const first = { name: FIRST, timestamp: new Date(made).toISOString() };
    expect(db.connection.prepare('SELECT * FROM kysely_migration').all()).toEqual([first]);
    db.connection.exec("DELETE FROM properties WHERE key = 'oldest_schema'");
    expect(readRows(db)).toEqual(before);
    expect(findDifference(db, makeFresh(FIRST))).toBeUndefined();
  });

  it.each([
    [
      'with an index',
      'CREATE INDEX mine ON entries (name)',
      'has the index "mine", which no migration makes',
    ],
    ['and before', "DELETE FROM kysely_migration WHERE name > '0308'", undefined],
    ['that lacks a migration', "DELETE FROM kysely_migration WHERE name = '0050_status'", undefined],
    ['with another', "UPDATE kysely_migration SET name = 'other' WHERE name = '0050_status'", undefined],
  ])('%s is refused and left as it is', async (_what, sql, problem) => {
    const path = makeEarlierDatabase();
    using db = open(path);
    db.connection.exec(sql);
    const before = db.connection.serialize();
    const name = `the database ${path}`;
    const sentence = problem === undefined ? tooOldProblem(name) : `${name} ${problem}`;
    expect(() => migrateDatabase(db)).toThrow(sentence);
    expect(db.connection.serialize()).toEqual(before);
    if (problem === undefined) expect(() => openReader(path, () => {})).toThrow(sentence);
  });
});

describe('the schema', () => {
  it.each(['behind', 'newer'] as const)('keeps the web process from a database that is %s', async (state) => {
    const path = makePath();
    using db = open(path);
    if (state === 'newer') {
      migrateDatabase(db);
      makeNewer(db);
    }
    expect(() => openReader(path, () => {})).toThrow(new SchemaError(schemaProblem(path, state)));
  });

  it('is read and written as before when a later version only added to it', async () => {
    using db = open(makeEarlierDatabase());
    migrateDatabase(db);
    const strict = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%STRICT%'";
    const tables = db.connection.prepare(strict).pluck().all() as string[];
    const added = tables.map((table) => `ALTER TABLE ${table} ADD COLUMN later TEXT;`);
    makeNewer(db, `${added.join('')} CREATE TABLE later (x TEXT) STRICT;`);
    expect(readSchemaState(db)).toBe('current');
    expect(migrateDatabase(db)).toEqual([]);
    const before = listEverything(db).length;
    await importRecords(db, 'scammers', [makeRecord(), makeRecord(), makeRecord()]);
    using reader = openReader(db.path, () => {});
    expect(listEverything(reader)).toHaveLength(before + 3);
    db.connection.exec(KEEPS_EARLIER_OUT);
    expect(readSchemaState(db)).toBe('newer');
  });
});
