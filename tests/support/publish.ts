import type { Database } from '#src/db/database.ts';
import { publishSnapshots } from '#src/entries/snapshots/publish-snapshots.ts';

/** Publishes the snapshots the way the worker's follower does, one run at a time. */
export const publish = (db: Database) => publishSnapshots(db, new AbortController().signal);
