import { sqlBuilder, param, type Database, type Transaction } from './database.ts';

const FIND = sqlBuilder.selectFrom('properties').select('value').where('key', '=', param('key')).compile();

export function findProperty(db: Database, key: string): string | undefined {
  return db.first(FIND, { key })?.value;
}

/** The property of a database whose entries are invented: `seed` fills no other. */
export const SAMPLE_PROPERTY = 'sample';

/** @param value undefined removes it */
export function setProperty(tx: Transaction, key: string, value: string | number | undefined): void {
  if (value === undefined) tx.run(sqlBuilder.deleteFrom('properties').where('key', '=', key));
  else tx.run(sqlBuilder.replaceInto('properties').values({ key, value: String(value) }));
}
