import { dirname, join } from 'node:path';
import { pruneChanges } from '../changes/prune-changes.ts';
import { pruneReplaced } from '../changes/undo-file.ts';
import { applyViewCounts } from '../entries/views-file.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { createDonationWatch, POLL_MS } from '../donations/watch-donations.ts';
import { createOutageLog, type OutageLog } from '../outbound/outage-log.ts';
import { limitWalSize } from '../db/truncate-wal.ts';
import { makeReserve } from '../db/reserve.ts';
import { removeOldCopies } from '../db/migration-copy.ts';
import { removeKilledRestores } from '../db/own-folder.ts';
import { retentionTime } from '../db/retention-time.ts';
import { removeParts } from '../db/write-file-atomic.ts';
import { createIndexUpdater, type IndexUpdater } from '../lists/update-list-indexes.ts';
import { sweepProofFiles } from '../proofs/proof-files.ts';
import { eraseRemoved } from '../removals/erase-removed.ts';
import { createSearchUpdater, type SearchUpdater } from '../search/update-search-file.ts';
import { readEntriesOnce } from '../status/check-database.ts';
import { pruneHistory, recordSample, writeProbe } from '../status/record-sample.ts';
import type { TakeSample } from '../status/take-sample.ts';
import { publishSnapshots } from '../entries/snapshots/publish-snapshots.ts';
import { createPrefixPublisher, type PrefixPublisher } from '../entries/snapshots/publish-prefixes.ts';
import { createBackupJob, createRemovedFileJob } from './backup-jobs.ts';
import type { Job } from './job-runner.ts';
import { runTask } from './run-task.ts';
import { VACUUM_JOB } from './vacuum-job.ts';
import { MINUTE_MS } from '../text/calendar.ts';

/** Indexing a million entries for the first time takes some minutes. */
const INDEX_DEADLINE_MS = 30 * MINUTE_MS;
/** Views change without an entry in the log, and search.db may have been deleted. */
const OFTEN = '*/5 * * * * *';

export function createJobs(config: Config): readonly Job[] {
  return [
    ...createIndexJobs(),
    createPrefixJob(),
    createRemovedFileJob(config),
    ...UPKEEP,
    watchDonations(config),
    createBackupJob(config),
    VACUUM_JOB,
  ];
}

export function createIndexJobs(): readonly Job[] {
  let updaters: { readonly indexes: IndexUpdater; readonly search: SearchUpdater } | undefined;
  const updatersOf = (db: Database) =>
    (updaters ??= { indexes: createIndexUpdater(db), search: createSearchUpdater(db) });
  return [
    {
      name: 'list-indexes',
      schedule: OFTEN,
      isFollower: true,
      deadlineMs: INDEX_DEADLINE_MS,
      run: async ({ db, signal }) => ({ written: Number(await updatersOf(db).indexes.catchUp(signal)) }),
    },
    {
      name: 'search',
      schedule: OFTEN,
      isFollower: true,
      lane: 'search',
      deadlineMs: INDEX_DEADLINE_MS,
      run: async ({ db, signal }) => ({ written: Number(await updatersOf(db).search.catchUp(signal)) }),
    },
    {
      name: 'renew-search',
      schedule: '0 41 3 * * *',
      isDaily: true,
      lane: 'search',
      deadlineMs: INDEX_DEADLINE_MS,
      run: async ({ db, signal }) => ({ written: Number(await updatersOf(db).search.renew(signal)) }),
    },
    {
      name: 'check-files',
      schedule: '0 11 4 * * *',
      isDaily: true,
      lane: 'disk',
      deadlineMs: INDEX_DEADLINE_MS,
      run: async ({ db, signal }) => {
        const problems = await runTask<string[]>({ task: 'check', databasePath: db.path }, signal);
        if (problems.length > 0) throw new Error(`the database is damaged: ${problems.join('; ')}`);
      },
    },
  ];
}

export const createStatusJobs = (takeSample: TakeSample): readonly Job[] => [
  {
    name: 'status',
    schedule: '*/10 * * * * *',
    deadlineMs: 9_500,
    isQuiet: true,
    run: async ({ db, write, signal }) => {
      const status = await takeSample(() => {
        db.assertInPlace();
        readEntriesOnce(db);
        write((tx) => writeProbe(tx, Date.now()));
      }, signal);
      write((tx) => recordSample(tx, status));
    },
  },
  {
    name: 'status-history',
    schedule: '0 7 * * * *',
    deadlineMs: MINUTE_MS,
    run: ({ write }) => ({ removed: write((tx) => pruneHistory(tx, retentionTime(tx))) }),
  },
];

function watchDonations({ litecoin }: Config): Job {
  const poll = createDonationWatch(litecoin);
  let outages: OutageLog | undefined;
  return {
    name: 'donations',
    schedule: `*/${POLL_MS / 1_000} * * * * *`,
    deadlineMs: 10 * MINUTE_MS,
    isQuiet: true,
    run: ({ db, write, signal, log }) =>
      poll({ db, write, signal, outages: (outages ??= createOutageLog(log)) }),
  };
}

function createPrefixJob(): Job {
  let publisher: PrefixPublisher | undefined;
  return {
    name: 'prefixes',
    schedule: '0 28 * * * *',
    isFollower: true,
    deadlineMs: 10 * MINUTE_MS,
    run: async ({ db, signal }) => ({
      written: Number(await (publisher ??= createPrefixPublisher(db)).publish(signal)),
    }),
  };
}

const UPKEEP: readonly Job[] = [
  {
    name: 'snapshots',
    schedule: '0 27 * * * *',
    isFollower: true,
    deadlineMs: 30 * MINUTE_MS,
    run: ({ db, signal }) => publishSnapshots(db, signal),
  },
  {
    // An automatic checkpoint cannot empty the WAL while a reader needs it.
    name: 'checkpoint',
    schedule: '0 * * * * *',
    deadlineMs: MINUTE_MS,
    isQuiet: true,
    run: ({ db }) => limitWalSize(db),
  },
  {
    // A killed import leaves files that no entry refers to.
    name: 'prune',
    schedule: '0 17 * * * *',
    deadlineMs: 10 * MINUTE_MS,
    run: ({ db, write }) => {
      removeKilledRestores(db.path);
      removeOldCopies(db.path, write(retentionTime));
      for (const folder of ['', 'proofs', 'snapshots']) removeParts(join(dirname(db.path), folder));
      makeReserve(db.path);
      return sweepProofFiles(db);
    },
  },
  {
    name: 'views',
    schedule: '5 * * * * *',
    deadlineMs: MINUTE_MS,
    isQuiet: true,
    run: ({ db, write }) => applyViewCounts(db, write),
  },
  {
    name: 'erase',
    schedule: '* * * * * *',
    deadlineMs: MINUTE_MS,
    isQuiet: true,
    run: async ({ db }) => ({ removed: await eraseRemoved(db) }),
  },
  {
    name: 'prune-changes',
    schedule: '0 29 3 * * *',
    isDaily: true,
    deadlineMs: 10 * MINUTE_MS,
    run: async ({ db, write }) => {
      const time = write(retentionTime);
      pruneReplaced(db.path, time);
      return { changes: await pruneChanges(db, write, time.edge) };
    },
  },
];
