/** Publishes the snapshots the way the worker's follower does, one run at a time. */
import type { Database } from '#src/db/database.ts';
import { publishSnapshots, type PublishReport } from '#src/entries/snapshots/publish-snapshots.ts';

export interface Publisher {
  publish(): Promise<PublishReport>;
}

export function createPublisher(db: Database): Publisher {
  return { publish: () => publishSnapshots(db, new AbortController().signal) };
}
