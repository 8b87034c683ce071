/** Small facts that the database keeps by name: marks of how far something has come, and what holds for all of it. */
import { build, compileOnce, given } from './database.ts';
import type { Database } from './database.ts';

const FIND = compileOnce(build.selectFrom('properties').select('value').where('key', '=', given('key')));

/** Undefined when there is none. */
export function findProperty(db: Database, key: string): string | undefined {
  return db.first(FIND, { key })?.value;
}

/** Numbers are kept as their text. */
export function setProperty(db: Database, key: string, value: string | number): void {
  db.run(build.replaceInto('properties').values({ key, value: String(value) }));
}

export function removeProperty(db: Database, key: string): void {
  db.run(build.deleteFrom('properties').where('key', '=', key));
}
