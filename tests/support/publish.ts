/** Publishes the snapshots the way the worker's follower does, one run at a time. */
import type { Database } from '#src/db/database.ts';
import { publishSnapshots } from '#src/entries/snapshots/publish-snapshots.ts';

export type Publisher = ReturnType<typeof createPublisher>;

export function createPublisher(db: Database) {
  return { publish: () => publishSnapshots(db, new AbortController().signal) };
}
