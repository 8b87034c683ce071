/**
 * Whether a process that reads the database can serve, and what it serves becomes newer. The read model may be missing;
 * the database may not, and no follower of the change log may fail again and again.
 */
import { existsSync } from 'node:fs';
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
] as const;
export type Unreadiness = (typeof UNREADINESS)[number];

/** Empty when it can serve. */
export function listUnreadiness(db: Database): Unreadiness[] {
  if (!existsSync(db.path)) return ['database_missing'];
  let failing: string[];
  try {
    const state = readSchemaState(db);
    if (state !== 'current') return [`schema_${state}`];
    db.statement('SELECT row FROM entries LIMIT 1').get();
    failing = listFailingFollowers(db);
  } catch {
    return ['database_unreadable'];
  }
  try {
    db.assertInPlace();
    return failing.length > 0 ? ['follower_failing'] : [];
  } catch {
    return ['database_replaced'];
  }
}
