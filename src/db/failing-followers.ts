/** Followers of the change log that fail again and again. The worker records them; the web process reports them. */
import type { Database } from './database.ts';
import { findProperty, removeProperty, setProperty } from './properties.ts';

const PROPERTY = 'failing_followers';

export function listFailingFollowers(db: Database): string[] {
  return findProperty(db, PROPERTY)?.split(' ') ?? [];
}

export function recordFailingFollowers(db: Database, names: readonly string[]): void {
  if (names.length === 0) removeProperty(db, PROPERTY);
  else setProperty(db, PROPERTY, names.join(' '));
}
