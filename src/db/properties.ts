import { build, given, type Database } from './database.ts';

const FIND = build.selectFrom('properties').select('value').where('key', '=', given('key')).compile();

export function findProperty(db: Database, key: string): string | undefined {
  return db.first(FIND, { key })?.value;
}

/** @param value undefined removes it */
export function setProperty(db: Database, key: string, value: string | number | undefined): void {
  if (value === undefined) db.run(build.deleteFrom('properties').where('key', '=', key));
  else db.run(build.replaceInto('properties').values({ key, value: String(value) }));
}
