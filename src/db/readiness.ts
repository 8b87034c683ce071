/** Whether a process that reads the database can serve: the read model may be missing, the truth may not. */
import { existsSync } from 'node:fs';
import type { Database } from './database.ts';
import { readSchemaState } from './migrate.ts';

/** Names for machines; they tell nothing of paths and versions. */
export const UNREADINESS = [
  'database_missing',
  'database_replaced',
  'database_unreadable',
  'schema_behind',
  'schema_newer',
] as const;
export type Unreadiness = (typeof UNREADINESS)[number];

/** Empty when it can serve. */
export function listUnreadiness(db: Database): Unreadiness[] {
  if (!existsSync(db.path)) return ['database_missing'];
  try {
    const state = readSchemaState(db);
    if (state !== 'current') return [`schema_${state}`];
    db.statement('SELECT row FROM entries LIMIT 1').get();
  } catch {
    return ['database_unreadable'];
  }
  try {
    db.assertInPlace();
    return [];
  } catch {
    return ['database_replaced'];
  }
}
