import { retentionTime } from '../db/retention-time.ts';
import { readEntriesOnce } from '../status/check-database.ts';
import { pruneHistory, recordSample, writeProbe } from '../status/record-sample.ts';
import type { TakeSample } from '../status/take-sample.ts';
import type { Job } from './job.ts';

export const createStatusJobs = (takeSample: TakeSample): readonly Job[] => [
  {
    name: 'status',
    schedule: '*/10 * * * * *',
    deadlineMs: 9_500,
    isFrequent: true,
    run: async ({ db, write, signal }) => {
      const status = await takeSample(() => {
        db.assertInPlace();
        readEntriesOnce(db);
        write(() => writeProbe(db, Date.now()));
      }, signal);
      write(() => recordSample(db, status));
    },
  },
  {
    name: 'status-history',
    schedule: '0 7 * * * *',
    deadlineMs: 60_000,
    run: ({ write }) => ({ removed: write((tx) => pruneHistory(tx, retentionTime(tx))) }),
  },
];
