/**
 * Whether a process that reads the database can serve, and what it serves becomes newer. search.db may be missing; the
 * database and the sorted lists in it may not, and no follower of the change log may fail again and again.
 */
import { existsSync } from 'node:fs';
import { build } from './database.ts';
import type { Database } from './database.ts';
import { listFailingFollowers } from './failing-followers.ts';
import { readSchemaState } from './migrate.ts';

/** Names for machines; they tell nothing of paths and versions. */
export const UNREADINESS = [
  'database_missing',
  'database_replaced',
  'database_unreadable',
  'schema_behind',
  'schema_newer',
  'follower_failing',
  'lists_unsorted',
] as const;
export type Unreadiness = (typeof UNREADINESS)[number];

/**
 * Empty when it can serve.
 * @param areListsSorted whether the database has them in order
 */
export function listUnreadiness(db: Database, areListsSorted: (db: Database) => boolean): Unreadiness[] {
  if (!existsSync(db.path)) return ['database_missing'];
  let failing: string[];
  let isSorted: boolean;
  try {
    const state = readSchemaState(db);
    if (state !== 'current') return [`schema_${state}`];
    db.first(build.selectFrom('entries').select('row').limit(1));
    failing = listFailingFollowers(db);
    isSorted = areListsSorted(db);
  } catch {
    return ['database_unreadable'];
  }
  try {
    db.assertInPlace();
    return [
      ...(failing.length > 0 ? ['follower_failing' as const] : []),
      ...(isSorted ? [] : ['lists_unsorted' as const]),
    ];
  } catch {
    return ['database_replaced'];
  }
}
