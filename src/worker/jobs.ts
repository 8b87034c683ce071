/** The worker's job table: name, schedule, deadline, run. */
import { pruneContents } from '../entries/contents.ts';
import { createTextEraser, refreshSearchIndex } from '../entries/search/refresh-index.ts';
import type { Job } from './job.ts';
import { nameIndexJob } from './name-index-work.ts';

const MINUTE_MS = 60_000;

const eraseSearchTexts = createTextEraser();

export const JOBS: readonly Job[] = [
  nameIndexJob,
  {
    // Keeps the WAL short, also when a reader held it open at the last automatic checkpoint.
    name: 'checkpoint',
    schedule: '0 * * * * *',
    deadlineMs: MINUTE_MS,
    run: ({ db }) => {
      const [outcome] = db.connection.pragma('wal_checkpoint(TRUNCATE)') as { busy: number; log: number }[];
      return { busy: outcome?.busy === 1, pagesLeft: outcome?.log };
    },
  },
  {
    // Chunks of the search index that are missing, or too many of whose entries have changed.
    name: 'search-index',
    schedule: '*/5 * * * * *',
    deadlineMs: 10 * MINUTE_MS,
    run: ({ db, signal }) => refreshSearchIndex(db, { signal }),
  },
  {
    // What was removed or changed must not live on in the search index.
    name: 'search-erase',
    schedule: '5/10 * * * * *',
    deadlineMs: MINUTE_MS,
    run: ({ db }) => eraseSearchTexts(db),
  },
  {
    // Texts that no entry refers to: an import that was killed leaves them.
    name: 'prune',
    schedule: '0 17 3 * * *',
    deadlineMs: 10 * MINUTE_MS,
    run: ({ db }) => ({ contents: pruneContents(db, Date.now()) }),
  },
  {
    // Keeps the query planner's statistics true.
    name: 'optimize',
    schedule: '0 41 3 * * *',
    deadlineMs: 10 * MINUTE_MS,
    run: ({ db }) => {
      db.connection.pragma('optimize');
    },
  },
];
