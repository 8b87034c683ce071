/** Publishes the snapshots the way the worker's follower does, one run at a time. */
import { readLogHead } from '#src/changes/log-head.ts';
import { findProgress, recordProgress } from '#src/changes/progress.ts';
import type { Database } from '#src/db/database.ts';
import { publishSnapshots } from '#src/entries/snapshots/publish-snapshots.ts';
import type { PublishReport } from '#src/entries/snapshots/publish-snapshots.ts';

export interface Publisher {
  publish(): Promise<PublishReport>;
}

export function createPublisher(db: Database): Publisher {
  return {
    async publish() {
      const head = readLogHead(db);
      const report = await publishSnapshots(db.path, {
        from: findProgress(db, 'snapshots', head),
        write: (change) => change(),
        signal: new AbortController().signal,
      });
      recordProgress(db, 'snapshots', head);
      return report;
    },
  };
}
