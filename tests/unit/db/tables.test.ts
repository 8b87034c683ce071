/** Kysely checks queries against `Tables`, which nothing but this compares with the migrations. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeDatabase } from '../../support/temporary-database.ts';

const SOURCES = globSync(join(import.meta.dirname, '../../../src/*/tables.ts'));
const TYPES: Readonly<Record<string, string>> = {
  INTEGER: 'number',
  TEXT: 'string',
  BLOB: 'Uint8Array',
  ANY: 'number | string',
};

const COLUMNS = `SELECT name AS "column", type, "notnull" OR pk AS isFilled FROM pragma_table_info(?)`;

/** Columns with a closed set of texts have a type of their own, or the texts themselves. */
const CLOSED = /\b(?!Uint8Array)[A-Z]\w+|'\w+'(?: \| '\w+')*/;

/** Tables with their fields and types, without what Kysely needs for inserts. */
function readTables(): Map<string, Record<string, string>> {
  const source = SOURCES.map((file) => readFileSync(file, 'utf8')).join('\n');
  const tables = source.matchAll(/^ {2,4}(\w+): \{\n([^}]*)\}/gm);
  return new Map(
    [...tables].map(([, table = '', body = '']) => {
      const fields = [...body.matchAll(/^ {4,6}(\w+): (.*);$/gm)];
      const types = fields.map(([, field = '', type = '']) => [
        field,
        type.replace(/^Generated<(.*)>$/, '$1'),
      ]);
      return [table, Object.fromEntries(types) as Record<string, string>];
    }),
  );
}

it('every table of the migrations stands in Tables, with its columns', async () => {
  const db = await makeDatabase();
  const names = db
    .statement<string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'kysely_%'",
    )
    .pluck()
    .all();
  const tables = readTables();
  expect([...tables.keys()].toSorted()).toEqual(names.toSorted());
  for (const name of names) {
    const columns = db.statement<{ column: string; type: string; isFilled: number }>(COLUMNS).all(name);
    const expected = columns.map(({ column, type, isFilled }) => [
      column,
      TYPES[type] + (isFilled ? '' : ' | null'),
    ]);
    const fields = Object.entries(tables.get(name) ?? {});
    const stored = fields.map(([field, type]) => [field, type.replace(CLOSED, 'string')]);
    expect(Object.fromEntries(stored), name).toEqual(Object.fromEntries(expected));
  }
});
