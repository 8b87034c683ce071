import { existsSync } from 'node:fs';
import { sqlBuilder, type Database, type Transaction } from './database.ts';
import { readSchemaState } from './migrate.ts';
import { findProperty, setProperty } from './properties.ts';

/** They reveal no paths and versions. */
export const UNREADINESS = [
  'database_missing',
  'database_replaced',
  'database_unreadable',
  'schema_behind',
  'schema_newer',
  'follower_failing',
  'lists_unsorted',
] as const;
type Unreadiness = (typeof UNREADINESS)[number];

export function listUnreadiness(db: Database, areListsSorted: (db: Database) => boolean): Unreadiness[] {
  if (!existsSync(db.path)) return ['database_missing'];
  const reasons: Unreadiness[] = [];
  try {
    const state = readSchemaState(db);
    if (state !== 'current') return [`schema_${state}`];
    db.first(sqlBuilder.selectFrom('entries').select('row').limit(1));
    if (listFailingFollowers(db).length > 0) reasons.push('follower_failing');
    if (!areListsSorted(db)) reasons.push('lists_unsorted');
  } catch {
    return ['database_unreadable'];
  }
  try {
    db.assertInPlace();
  } catch {
    return ['database_replaced'];
  }
  return reasons;
}

const FAILING_PROPERTY = 'failing_followers';

export function listFailingFollowers(db: Database): string[] {
  return findProperty(db, FAILING_PROPERTY)?.split(' ') ?? [];
}

export function recordFailingFollowers(tx: Transaction, names: readonly string[]): void {
  setProperty(tx, FAILING_PROPERTY, names.join(' ') || undefined);
}
