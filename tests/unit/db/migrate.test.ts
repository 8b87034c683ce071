import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '#src/db/database.ts';
import { parseEntry, type Published } from '#src/entries/published.ts';
import { excerptOf } from '#src/text/excerpt.ts';
import { migrateDatabase, readSchemaState, schemaProblem } from '#src/db/migrate.ts';
import { findProperty } from '#src/db/properties.ts';
import { openReader, SchemaError } from '#src/db/reader.ts';
import { makeOldDatabase, readOldState } from '../../support/old-database.ts';
import { makeFolder } from '../../support/temporary-database.ts';

const REAL_MIGRATIONS = join(import.meta.dirname, '../../../db/migrations');
const ENTRIES = 400;
const folder = makeFolder();

function makePath(): string {
  return join(mkdtempSync(join(folder, 'db-')), 'czujka.db');
}

/** Runs with a handle that is closed afterwards. */
async function withDatabase<T>(path: string, work: (db: Database) => T | Promise<T>): Promise<T> {
  const db = openDatabase(path, 'write');
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

function makeMigrations(files: Readonly<Record<string, string>>): string {
  const migrations = mkdtempSync(join(folder, 'migrations-'));
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(migrations, `${name}.sql`), sql);
  return migrations;
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
    const names = readdirSync(REAL_MIGRATIONS).map((name) => name.replace(/\.sql$/, ''));
    await withDatabase(makePath(), async (db) => {
      expect(await migrateDatabase(db)).toEqual(names.sort());
      const schema = readSchema(db);
      expect(await migrateDatabase(db)).toEqual([]);
      expect(readSchema(db)).toEqual(schema);
    });
  });

  it('applies only what is missing, in order of name', async () => {
    const path = makePath();
    const early = { '0001_a': 'CREATE TABLE a (x);', '0002_b': 'ALTER TABLE a ADD COLUMN y;' };
    await withDatabase(path, (db) => migrateDatabase(db, makeMigrations(early)));
    const late = { ...early, '0010_d': 'DROP TABLE c;', '0009_c': 'CREATE TABLE c (x);' };
    await withDatabase(path, async (db) => {
      expect(await migrateDatabase(db, makeMigrations(late))).toEqual(['0009_c', '0010_d']);
    });
  });

  it('changes nothing when a migration fails, not even by those before it', async () => {
    const good = { '0001_a': 'CREATE TABLE a (x);' };
    const broken = {
      ...good,
      '0002_b': 'CREATE TABLE b (x);',
      '0003_c': 'CREATE TABLE c (x); CREATE TABL d;',
    };
    const path = makePath();
    await withDatabase(path, async (db) => {
      const empty = readSchema(db);
      await expect(migrateDatabase(db, makeMigrations(broken))).rejects.toThrow(`migrating ${path} failed`);
      expect(readSchema(db)).toEqual(empty);

      await migrateDatabase(db, makeMigrations(good));
      const before = readSchema(db);
      const folderOfBroken = makeMigrations(broken);
      await expect(migrateDatabase(db, folderOfBroken)).rejects.toMatchObject({
        cause: { message: expect.stringContaining('syntax error') as string },
      });
      expect(readSchema(db)).toEqual(before);
      expect(readSchemaState(db, folderOfBroken)).toBe('behind');
      expect(db.connection.inTransaction).toBe(false);
    });
    const repaired = makeMigrations({ ...broken, '0003_c': 'CREATE TABLE c (x);' });
    expect(await withDatabase(path, (db) => migrateDatabase(db, repaired))).toEqual(['0002_b', '0003_c']);
  });
});

it('a database of an earlier version keeps every entry, text, proof, change, tombstone and removal', async () => {
  const KEPT = ['entries', 'contents', 'proof_items', 'changes', 'tombstones', 'proof_changes', 'removals'];
  /** Added by migrations after the old version. */
  const LATER_COLUMNS = ['id_hash'];
  const SOURCES: Readonly<Record<string, string>> = {
    contents: 'entries JOIN contents USING (content)',
    proof_items: 'entries JOIN proof_items USING (content)',
  };
  const made = await withDatabase(makePath(), async (db) => {
    await migrateDatabase(db);
    return {
      schema: readSchema(db),
      columns: new Map(
        KEPT.map((table) => {
          const columns = db.connection.pragma(`table_info(${table})`) as { name: string }[];
          return [table, columns.map(({ name }) => name)];
        }),
      ),
    };
  });
  const path = makePath();
  await makeOldDatabase(path, ENTRIES);
  await withDatabase(path, async (db) => {
    const readKept = (sources: Readonly<Record<string, string>>): unknown =>
      KEPT.map((table) => {
        const columns = made.columns.get(table)?.filter((name) => !LATER_COLUMNS.includes(name));
        const source = sources[table] ?? table;
        return db.connection.prepare(`SELECT ${columns?.join()} FROM ${source} ORDER BY 1, 2`).all();
      });
    db.connection.exec("INSERT INTO properties VALUES ('removals_known', '{\"0123456789abcdef\":7}')");
    const before = readKept(SOURCES);
    const shown = Object.values(readOldState(db))
      .flat()
      .map(({ row, views: _, ...entry }) => [row, { ...entry, excerpt: excerptOf(entry.descHtml) }] as const);
    expect(await migrateDatabase(db)).toContain('0300_published');
    expect(readKept({})).toEqual(before);
    expect(shown.length).toBeGreaterThan(ENTRIES / 2);
    const published = db.statement<Published & { row: number }>('SELECT * FROM published').all();
    expect(new Map(published.map((row) => [row.row, parseEntry(row)]))).toEqual(new Map(shown));
    expect(published.every(({ json }) => json === JSON.stringify(JSON.parse(json)))).toBe(true);
    expect(db.connection.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(db.connection.pragma('foreign_key_check')).toEqual([]);
    expect(readSchema(db)).toEqual(made.schema);
    expect(findProperty(db, 'earlier_logs')).toBe('0123456789abcdef');
  });
});

describe('the schema', () => {
  it.each(['behind', 'newer'] as const)('keeps the web process from a database that is %s', async (state) => {
    const path = makePath();
    await withDatabase(path, async (db) => {
      if (state === 'behind') return;
      await migrateDatabase(db);
      db.connection.exec("INSERT INTO kysely_migration VALUES ('9999_future', '2030-01-01')");
    });
    expect(() => openReader(path, () => {})).toThrow(new SchemaError(schemaProblem(path, state)));
  });
});
