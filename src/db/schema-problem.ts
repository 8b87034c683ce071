/** Triggers run on a write and views on a read, so a foreign schema is compared first, on a read-only connection. */
import { openDatabase, type Database } from './database.ts';
import { appliedMigrations, migrateDatabase, migrationNames, schemaProblem } from './migrate.ts';

/** Type and name of an object; its table and SQL without comments and white space, which migrations may change. */
type SchemaObject = readonly [object: string, definition: string];

/** SQLite's tokens: strings and quoted names, or white space and comments. SQLite ends the SQL at a NUL. */
const TOKENS = /('[^']*'|"[^"]*")|(?:[ \t\n\f\r]|--[^\n\0]*|\/\*(?:(?!\*\/)[^\0])*\*\/)+/g;
const STATISTICS = /"sqlite_stat[14]"$/;

/** @returns a sentence; undefined when the schema is right */
export async function findSchemaProblem(db: Database, name: string): Promise<string | undefined> {
  const known = migrationNames();
  const found = readSchema(db);
  using fresh = openDatabase(':memory:', 'write', { mustExist: true });
  await migrateDatabase(fresh, undefined, known[0]);
  const isKnown = readSchema(fresh)
    .filter(([object]) => object.includes('"kysely_'))
    .every(([object, definition]) => found.some(([other, same]) => other === object && same === definition));
  if (!isKnown) return `${name} is no database of Czujka`;
  const applied = appliedMigrations(db.connection);
  if (applied.some((migration) => !known.includes(migration))) return schemaProblem(name, 'newer');
  const missing = known.slice(0, applied.length).find((migration) => !applied.includes(migration));
  if (missing !== undefined) return `${name} lacks the migration ${missing}, and has later ones`;
  if (applied.length === 0) return `${name} is no database of Czujka`;
  await migrateDatabase(fresh, undefined, applied.at(-1));
  fresh.connection.exec('ANALYZE');
  const lacking = new Map(readSchema(fresh));
  for (const [object, definition] of found) {
    const expected = lacking.get(object);
    if (expected === undefined) return `${name} has the ${object}, which no migration makes`;
    if (expected !== definition) return `${name} has another ${object} than the migrations make`;
    lacking.delete(object);
  }
  const lacked = [...lacking.keys()].find((object) => !STATISTICS.test(object));
  return lacked && `${name} lacks the ${lacked}`;
}

function readSchema(db: Database): SchemaObject[] {
  return db
    .statement<{ type: string; name: string; table: string; sql: string | null }>(
      'SELECT type, name, tbl_name AS "table", sql FROM sqlite_schema',
    )
    .all()
    .map(({ type, name, table, sql }) => [
      `${type} ${JSON.stringify(name)}`,
      `${table} ${(sql ?? '').replaceAll(TOKENS, (_, quoted?: string) => quoted ?? ' ')}`,
    ]);
}
