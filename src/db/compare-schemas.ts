import type { Database } from './database.ts';

/** Type and name of an object; its table and the tokens of its SQL. */
type SchemaObject = readonly [object: string, definition: string];

/** SQLite's tokens. White space and comments come first; SQLite ends the SQL at a NUL. */
const TOKENS = /(?:[ \t\n\f\r]+|--[^\n\0]*|\/\*(?:(?!\*\/)[^\0])*\*\/)|'[^']*'|"[^"]*"|\w+|[^]/g;
const GAP = /^(?:[ \t\n\f\r]|--|\/\*)/;
const STATISTICS = /"sqlite_stat[14]"$/;

/** ALTER TABLE leaves other white space than CREATE TABLE, and a new name in quotation marks. */
export function readSchema(db: Database): readonly SchemaObject[] {
  const objects = db.statement<Record<'type' | 'name' | 'tbl_name', string> & { sql: string | null }>(
    'SELECT type, name, tbl_name, sql FROM sqlite_schema',
  );
  return objects.all().map(({ type, name, tbl_name: table, sql }) => {
    const tokens = sql?.replace(/^CREATE TABLE "(\w+)"/, 'CREATE TABLE $1').match(TOKENS) ?? [];
    const definition = [table, ...tokens.filter((token) => !GAP.test(token))].join(' ');
    return [`${type} ${JSON.stringify(name)}`, definition];
  });
}

/** @param fresh has the right schema @returns the end of a sentence; undefined when the schemas are the same */
export function findDifference(db: Database, fresh: Database): string | undefined {
  // The planner's tables are right, too.
  fresh.connection.exec('ANALYZE');
  const lacking = new Map(readSchema(fresh));
  for (const [object, definition] of readSchema(db)) {
    const expected = lacking.get(object);
    if (expected === undefined) return `has the ${object}, which no migration makes`;
    if (expected !== definition) return `has another ${object} than the migrations make`;
    lacking.delete(object);
  }
  const lacked = [...lacking.keys()].find((object) => !STATISTICS.test(object));
  return lacked && `lacks the ${lacked}`;
}
