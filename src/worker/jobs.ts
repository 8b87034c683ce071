/** The worker's job table: name, schedule, deadline, run. */
import { dirname } from 'node:path';
import { pruneChanges } from '../changes/prune-changes.ts';
import { pruneReplaced } from '../changes/undo-file.ts';
import { applyViewCounts } from '../entries/apply-view-counts.ts';
import type { Config } from '../config.ts';
import { createDonationWatch, POLL_MS } from '../donations/watch-donations.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import { keepWalShort } from '../db/truncate-wal.ts';
import { removeOldFolders } from '../db/remove-old-folders.ts';
import { sweepProofFiles } from '../proofs/proof-files.ts';
import { eraseRemoved } from './erase-removed.ts';
import { sweepSnapshots } from '../entries/snapshots/publish-snapshots.ts';
import { createBackupJob } from './backup-work.ts';
import type { Job } from './job.ts';
import { createIndexJobs } from './index-work.ts';
import { oneByOne } from './one-by-one.ts';
import { createVacuumJob } from './vacuum-work.ts';

const MINUTE_MS = 60_000;

/** @param inTurn runs the long jobs: a copy of the database, its VACUUM, its check and the snapshots read all of it */
export function createJobs(config: Config, inTurn = oneByOne()): readonly Job[] {
  return [
    ...createIndexJobs(inTurn),
    ...UPKEEP,
    watchDonations(config),
    createBackupJob(config, inTurn),
    createVacuumJob(inTurn),
  ];
}

/** Finds payments, confirmations and what spends them; seldom asks while no donation is open. */
function watchDonations({ litecoin }: Config): Job {
  const watch = createDonationWatch(litecoin);
  /** The problem of each source, logged once and not at each poll. */
  const troubles = new Map<string, string>();
  return {
    name: 'donations',
    schedule: `*/${POLL_MS / 1_000} * * * * *`,
    deadlineMs: 10 * MINUTE_MS,
    isFrequent: true,
    run: async ({ db, write, signal, log }) => {
      const report = await watch.run({
        db,
        write,
        signal,
        warn: (source, error) => {
          // That it is not asked again so soon is nothing new.
          if (error instanceof OutboundError && error.reason === 'backing_off' && troubles.has(source))
            return;
          const reason = error instanceof Error ? error.message : String(error);
          if (troubles.get(source) !== reason) log.warn({ source, reason }, 'source of donations failed');
          troubles.set(source, reason);
        },
      });
      const isWell = report.source !== 'none' && report.isCurrent !== false;
      if (isWell && troubles.delete(report.source))
        log.info({ source: report.source }, 'source of donations is well again');
      return report;
    },
  };
}

const UPKEEP: readonly Job[] = [
  {
    // Keeps the WAL short, also when a reader held it open at the last automatic checkpoint.
    name: 'checkpoint',
    schedule: '0 * * * * *',
    deadlineMs: MINUTE_MS,
    isFrequent: true,
    run: ({ db }) => keepWalShort(db),
  },
  {
    // Files that no entry refers to: an import that was killed leaves them.
    name: 'prune',
    schedule: '0 17 * * * *',
    deadlineMs: 10 * MINUTE_MS,
    run: ({ db }) => {
      removeOldFolders(db.path);
      return sweepProofFiles(db, dirname(db.path));
    },
  },
  {
    name: 'views',
    schedule: '5 * * * * *',
    deadlineMs: MINUTE_MS,
    isFrequent: true,
    run: ({ db, write }) => applyViewCounts(db, write),
  },
  {
    // What a removal leaves elsewhere is gone within a minute, also when the command was ended half-way.
    name: 'erase',
    schedule: '*/15 * * * * *',
    deadlineMs: MINUTE_MS,
    isFrequent: true,
    run: async ({ db }) => ({ removed: await eraseRemoved(db, dirname(db.path)) }),
  },
  {
    // Changes that later ones have made worthless, and imports that cannot be taken back any more.
    name: 'prune-changes',
    schedule: '0 29 3 * * *',
    isDaily: true,
    deadlineMs: 10 * MINUTE_MS,
    run: async ({ db, write, signal }) => {
      pruneReplaced(db.path, Date.now());
      return { changes: await pruneChanges(db, { now: Date.now(), write, signal }) };
    },
  },
  {
    // Chunks of the snapshots that have been out of use for a day.
    name: 'sweep-snapshots',
    schedule: '0 7 * * * *',
    deadlineMs: 10 * MINUTE_MS,
    run: async ({ db }) => ({ chunks: await sweepSnapshots(db.path, Date.now()) }),
  },
];
