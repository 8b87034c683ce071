/**
 * The table `entries` made a second time, beside itself, for a large import: `entries_next` is filled and indexed in
 * short transactions, compared row by row with what it has to be, and takes the place of the first in a last, short one.
 * Nothing else reads or writes it. What was the first is then removed, in short transactions again; of an import that
 * was killed, whoever comes next removes it.
 */
import { holdPlace } from '../db/hold-place.ts';
import type { Database } from '../db/database.ts';
import { createGiveWay } from '../db/give-way.ts';
import type { GiveWay } from '../db/give-way.ts';
import type { Tables } from '../db/tables.ts';

export const NEXT = 'entries_next';
/** Rows that are deleted in one transaction. */
const DROP_STEP = 20_000;

export type EntryColumn = keyof Tables['entries'];

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly rootpage: number;
  readonly sql: string;
}

/** One at a time beside each database. @returns undefined while another process is at it */
export function holdNext(db: Database): (() => void) | undefined {
  return holdPlace(`${db.path}.import`);
}

/** Without the reference to contents: a row that is only a copy must not keep anybody from removing an entry's texts. */
export function createNext(db: Database): void {
  const { sql } = schemaOf(db, 'entries').find(({ type }) => type === 'table') as SchemaRow;
  db.connection.exec(toNext(sql));
}

/** @returns statements that make the indexes, one each */
export function indexStatements(db: Database): string[] {
  return schemaOf(db, 'entries')
    .filter(({ type }) => type === 'index')
    .map(({ sql }) => toNext(sql));
}

/**
 * The two tables and their indexes change places: only where in the file each one begins is exchanged in the schema
 * (sqlite.org/pragma.html#pragma_writable_schema), so that it takes no time. Inside the caller's transaction.
 * @throws when the schema is not the one any more that `entries_next` was made for
 */
export function exchangeWithNext(db: Database): void {
  const { connection } = db;
  const next = schemaOf(db, NEXT);
  const pairs = schemaOf(db, 'entries').map((one) => {
    const other = next.find(({ sql }) => sql === toNext(one.sql));
    if (!other) throw new Error(`the schema of entries has changed meanwhile: ${one.name}`);
    return [one, other] as const;
  });
  if (pairs.length !== next.length) throw new Error('the schema of entries has changed meanwhile');
  // SQLite's own guard against writing the schema is in the way for a moment.
  connection.unsafeMode(true);
  try {
    connection.pragma('writable_schema = ON');
    const update = connection.prepare('UPDATE sqlite_schema SET rootpage = ? WHERE type = ? AND name = ?');
    for (const [one, other] of pairs) {
      update.run(other.rootpage, one.type, one.name);
      update.run(one.rootpage, other.type, other.name);
    }
    // Every connection reads the schema again before its next statement.
    const version = connection.pragma('schema_version', { simple: true }) as number;
    connection.pragma(`schema_version = ${version + 1}`);
    connection.pragma('writable_schema = RESET');
  } finally {
    connection.unsafeMode(false);
  }
}

/** What there is of it, in any state; the caller holds it. */
export function dropNext(db: Database, giveWay: GiveWay): void {
  const rest = schemaOf(db, NEXT);
  if (rest.length === 0) return;
  const step = (change: () => boolean | void): boolean => {
    const startedAt = performance.now();
    const more = db.write(change);
    giveWay(performance.now() - startedAt);
    return more === true;
  };
  // The indexes first: rows without any are deleted quickly.
  for (const { type, name } of rest) {
    if (type === 'index') step(() => void db.connection.exec(`DROP INDEX IF EXISTS ${name}`));
  }
  const deleteSome = db.connection.prepare(
    `DELETE FROM ${NEXT} WHERE row IN (SELECT row FROM ${NEXT} ORDER BY row LIMIT ${DROP_STEP})`,
  );
  while (step(() => deleteSome.run().changes === DROP_STEP));
  step(() => void db.connection.exec(`DROP TABLE ${NEXT}`));
}

/** Removes what a killed import has left; one that is at work is let alone. */
export function dropLeftNext(db: Database): void {
  if (schemaOf(db, NEXT).length === 0) return;
  const release = holdNext(db);
  if (!release) return;
  try {
    dropNext(db, createGiveWay());
  } finally {
    release();
  }
}

/** The table and its indexes that are made by a statement of their own. */
function schemaOf(db: Database, table: string): SchemaRow[] {
  return db
    .statement<SchemaRow>(
      `SELECT type, name, rootpage, sql FROM sqlite_schema
       WHERE tbl_name = ? AND type IN ('table', 'index') AND sql IS NOT NULL`,
    )
    .all(table);
}

/** The same statement for `entries_next`. */
function toNext(sql: string): string {
  return sql
    .replace(/^CREATE TABLE "?entries"?/, `CREATE TABLE ${NEXT}`)
    .replace(/^(CREATE (?:UNIQUE )?INDEX) (\w+) ON entries\b/, `$1 next_$2 ON ${NEXT}`)
    .replace(/ REFERENCES \w+ \(\w+\)/g, '');
}
