import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '#src/db/database.ts';
import type { Entry } from '#src/entries/entry.ts';
import { parseEntry, type Published } from '#src/entries/published.ts';
import { excerptOf } from '#src/text/excerpt.ts';
import { visibleText } from '#src/text/visible-text.ts';
import { migrateDatabase, readSchemaState, missingProblem, schemaProblem } from '#src/db/migrate.ts';
import { openReader, SchemaError } from '#src/db/reader.ts';
import { makeFolder } from '../../support/temporary-database.ts';

const REAL_MIGRATIONS = join(import.meta.dirname, '../../../db/migrations');
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

  it('leaves a database of a newer version alone', async () => {
    const path = makePath();
    await withDatabase(path, async (db) => {
      await migrateDatabase(db);
      db.connection.exec("INSERT INTO kysely_migration VALUES ('9999_future', '2030-01-01')");
      const before = readSchema(db);
      await expect(migrateDatabase(db)).rejects.toThrow(schemaProblem(path, 'newer'));
      expect(readSchema(db)).toEqual(before);
    });
  });
});

describe('a database of an early version', () => {
  const ENTRIES = 400;
  const ENTRY_COLUMNS =
    'list, entry_id, report_id, proofs_id, proofs, chat_id, name, verified, reported_at, updated_at, views, row';
  const ITEM_COLUMNS = 'position, text, text_html, url, file_sha256, file_name, caption';
  /** The rows of each table that are kept, in the early version and in this one. */
  const KEPT: Readonly<Record<string, readonly [string, string]>> = {
    entries: [ENTRY_COLUMNS, ENTRY_COLUMNS],
    contents: ['row, reason', 'row, reason'],
    proof_items: [`row, ${ITEM_COLUMNS}`, `row, ${ITEM_COLUMNS}`],
    changes: ['*', '*'],
    tombstones: ['*', 'entry_id, report_id, list, removed_at, reason_code'],
    proof_changes: ['*', '*'],
  };
  const SOURCES: Readonly<Record<string, string>> = {
    contents: 'entries JOIN contents USING (content)',
    proof_items: 'entries JOIN proof_items USING (content)',
  };

  const readKept = (db: Database, version: 0 | 1): unknown =>
    Object.entries(KEPT).map(([table, columns]) => {
      const source = version === 0 ? (SOURCES[table] ?? table) : table;
      return db.connection.prepare(`SELECT ${columns[version]} FROM ${source} ORDER BY 1, 2`).all();
    });

  /** The published form of each public entry, by row. */
  const readShown = (db: Database): Map<number, Entry> =>
    new Map(
      db
        .statement<Record<string, never>>(
          `SELECT * FROM entries JOIN contents USING (content) WHERE list != 'legit' OR verified = 1`,
        )
        .all()
        .map((row) => [
          row['row'] as unknown as number,
          {
            _id: row['entry_id'],
            name: row['name'],
            id: row['chat_id'],
            descHtml: row['desc_html'],
            verified: row['verified'] === (1 as never),
            proofsId: row['proofs_id'],
            reportId: row['report_id'],
            list: row['list'],
            proofs: row['proofs'],
            reportedAt: row['reported_at'],
            updatedAt: row['updated_at'],
            excerpt: excerptOf(String(row['desc_html'])),
            visibleText: visibleText(String(row['desc_html'])),
          } as unknown as Entry,
        ]),
    );

  /** Entries of every list and kind, with the old version's derived data and the remains of a killed import. */
  const FILL = `
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ENTRIES})
      INSERT INTO contents SELECT i, 'Powód ' || i, '<p>Powód ' || i || '</p>' || hex(randomblob(i * 20)), 'x', 'x' FROM n;
    INSERT INTO entries SELECT content, CASE content % 3 WHEN 0 THEN 'scammers' WHEN 1 THEN 'servers' ELSE 'legit' END,
      printf('%024x', content * 7919), 'R-' || content, CASE WHEN content % 4 > 1 THEN printf('%032x', content) END,
      CASE content % 4 WHEN 2 THEN 'public' WHEN 3 THEN 'private' ELSE 'none' END, 'id ' || (content / 2), 'nick ' || content,
      content % 5 > 0, content * 1000, content * 1001, content % 7, content * 10, 'x', 'x', content FROM contents;
    INSERT INTO proof_items SELECT content, 0, 'tekst', '<p>tekst</p>', NULL, NULL, NULL, 'podpis' FROM entries
      WHERE proofs != 'none';
    INSERT INTO proof_items SELECT content, 1, NULL, NULL, 'https://example.com/', hex(content), 'a.png', NULL FROM entries
      WHERE proofs = 'public';
    INSERT INTO changes (at, op, list, entry_id) SELECT reported_at, 'added', list, entry_id FROM entries;
    INSERT INTO changes (at, op, list, entry_id) SELECT updated_at, 'updated', list, entry_id FROM entries WHERE row % 3 = 0;
    INSERT INTO proof_changes (entry_id, at, proofs, items) SELECT entry_id, updated_at, proofs, 1 FROM entries
      WHERE proofs != 'none';
    INSERT INTO tombstones SELECT entry_id, report_id, list, 5, 'appeal' FROM entries WHERE row % 20 = 0;
    DELETE FROM entries WHERE row % 20 = 0;
    DELETE FROM contents WHERE content % 20 = 0;
    INSERT INTO list_index_files (name) VALUES ('1.chunks');
    INSERT INTO list_index_states VALUES ('legit', 'h', 1, '0', 1, 1);
    INSERT INTO list_indexes VALUES ('legit all all az', 'legit', 1, 1, x'00');
    INSERT INTO change_progress VALUES ('list-indexes', 'h', 1), ('entry-file', 'h', 1), ('name-index', 'h', 1),
      ('snapshots', 'h', 1);
    INSERT INTO properties VALUES ('collation', 'icu 1'), ('popularity', '3'), ('views_booked_at', '5'),
      ('removals_known', '{"0123456789abcdef":7,"fedcba9876543210":9}');
    CREATE TABLE entries_next (row INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
    CREATE INDEX next_entries_newest ON entries_next (name);
    INSERT INTO entries_next SELECT row, name FROM entries;
  `;

  it('keeps every entry, text, proof, change and tombstone, and loses what followed from them', async () => {
    const old = Object.fromEntries(
      readdirSync(REAL_MIGRATIONS)
        .filter((name) => name < '0080')
        .map((name) => [name.replace(/\.sql$/, ''), readFileSync(join(REAL_MIGRATIONS, name), 'utf8')]),
    );
    const made = await withDatabase(makePath(), async (db) => {
      await migrateDatabase(db);
      return readSchema(db);
    });
    await withDatabase(makePath(), async (db) => {
      await migrateDatabase(db, makeMigrations(old));
      db.connection.exec(FILL);
      const before = readKept(db, 0);
      const shown = readShown(db);
      expect(await migrateDatabase(db)).toContain('0300_published');
      expect(readKept(db, 1)).toEqual(before);
      expect(shown.size).toBeGreaterThan(ENTRIES / 2);
      const published = db.statement<Published & { row: number }>('SELECT * FROM published').all();
      expect(new Map(published.map((row) => [row.row, parseEntry(row)]))).toEqual(shown);
      expect(published.every(({ json }) => json === JSON.stringify(JSON.parse(json)))).toBe(true);
      expect(db.connection.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(db.connection.pragma('foreign_key_check')).toEqual([]);
      expect(readSchema(db)).toEqual(made);
      expect(db.statement("SELECT * FROM properties WHERE key != 'history'").all()).toEqual([
        { key: 'earlier_logs', value: '0123456789abcdef fedcba9876543210' },
        { key: 'popularity', value: '3' },
      ]);
    });
    expect(made.filter(({ tbl_name }) => tbl_name === 'entries').map(({ name }) => name)).toEqual([
      'entries_by_chat_id',
      'entries_by_entry_id',
      'entries_by_proofs_id',
      'entries',
    ]);
  });
});

describe('readSchemaState', () => {
  it('tells behind, current and newer apart', async () => {
    const one = { '0001_a': 'CREATE TABLE a (x);' };
    const two = { ...one, '0002_b': 'CREATE TABLE b (x);' };
    await withDatabase(makePath(), async (db) => {
      await migrateDatabase(db, makeMigrations(one));
      expect(readSchemaState(db, makeMigrations(one))).toBe('current');
      expect(readSchemaState(db, makeMigrations(two))).toBe('behind');
      await migrateDatabase(db, makeMigrations(two));
      expect(readSchemaState(db, makeMigrations(two))).toBe('current');
      expect(readSchemaState(db, makeMigrations(one))).toBe('newer');
    });
  });

  it.each(['behind', 'newer'] as const)('keeps the web process from a database that is %s', async (state) => {
    const path = makePath();
    await withDatabase(path, async (db) => {
      if (state === 'behind') return;
      await migrateDatabase(db);
      db.connection.exec("INSERT INTO kysely_migration VALUES ('9999_future', '2030-01-01')");
    });
    expect(() => openReader(path, () => {})).toThrow(new SchemaError(schemaProblem(path, state)));
  });

  it('keeps the web process from a database that is missing', () => {
    const path = makePath();
    expect(() => openReader(path, () => {})).toThrow(new SchemaError(missingProblem(path)));
  });
});
