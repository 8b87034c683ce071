import { build, given, type Database } from './database.ts';

const FIND = build.selectFrom('properties').select('value').where('key', '=', given('key')).compile();

export function findProperty(db: Database, key: string): string | undefined {
  return db.first(FIND, { key })?.value;
}

export function setProperty(db: Database, key: string, value: string | number): void {
  db.run(build.replaceInto('properties').values({ key, value: String(value) }));
}

export function removeProperty(db: Database, key: string): void {
  db.run(build.deleteFrom('properties').where('key', '=', key));
}
