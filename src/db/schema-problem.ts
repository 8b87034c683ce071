/** Triggers run on a write and views on a read, so a foreign schema is compared first, on a read-only connection. */
import { openDatabase, type Database } from './database.ts';
import { appliedMigrations, migrateDatabase, migrationNames, schemaProblem } from './migrate.ts';

interface SchemaObject {
  readonly type: string;
  readonly name: string;
  /** Table and SQL without comments and white space, which migrations may change. */
  readonly definition: string;
}

/** SQLite's tokens: strings and quoted names, or white space and comments. SQLite ends the SQL at a NUL. */
const TOKENS = /('[^']*'|"[^"]*")|(?:[ \t\n\f\r]|--[^\n\0]*|\/\*(?:(?!\*\/)[^\0])*\*\/)+/g;
const STATISTICS = /^sqlite_stat[14]$/;

/** @param freshFile path for a new database @returns a sentence; undefined when the schema is right */
export async function findSchemaProblem(
  db: Database,
  name: string,
  freshFile: string,
): Promise<string | undefined> {
  const known = migrationNames();
  const found = readSchema(db);
  using fresh = openDatabase(freshFile, 'write');
  await migrateDatabase(fresh, undefined, known[0]);
  const isKnown = readSchema(fresh)
    .filter((object) => object.name.startsWith('kysely_'))
    .every((object) => found.some((other) => isSame(object, other)));
  if (!isKnown) return `${name} is no database of Czujka`;
  const applied = appliedMigrations(db.connection);
  if (applied.some((migration) => !known.includes(migration))) return schemaProblem(name, 'newer');
  const missing = known.slice(0, applied.length).find((migration) => !applied.includes(migration));
  if (missing !== undefined) return `${name} lacks the migration ${missing}, and has later ones`;
  if (applied.length === 0) return `${name} is no database of Czujka`;
  await migrateDatabase(fresh, undefined, applied.at(-1));
  fresh.connection.exec('ANALYZE');
  return compare(found, readSchema(fresh), name);
}

function compare(
  found: readonly SchemaObject[],
  made: readonly SchemaObject[],
  name: string,
): string | undefined {
  const missing = [...made];
  for (const object of found) {
    const place = missing.findIndex((other) => other.type === object.type && other.name === object.name);
    const kind = `${object.type} ${JSON.stringify(object.name)}`;
    if (place < 0) return `${name} has the ${kind}, which no migration makes`;
    const [other] = missing.splice(place, 1);
    if (!other || !isSame(object, other)) return `${name} has another ${kind} than the migrations make`;
  }
  const lacking = missing.find((object) => !STATISTICS.test(object.name));
  return lacking && `${name} lacks the ${lacking.type} ${JSON.stringify(lacking.name)}`;
}

function readSchema(db: Database): SchemaObject[] {
  return db
    .statement<{ type: string; name: string; table: string; sql: string | null }>(
      'SELECT type, name, tbl_name AS "table", sql FROM sqlite_schema',
    )
    .all()
    .map(({ type, name, table, sql }) => ({ type, name, definition: `${table} ${squeeze(sql ?? '')}` }));
}

function squeeze(sql: string): string {
  return sql.replaceAll(TOKENS, (_, quoted?: string) => quoted ?? ' ');
}

function isSame(one: SchemaObject, other: SchemaObject): boolean {
  return one.type === other.type && one.name === other.name && one.definition === other.definition;
}
