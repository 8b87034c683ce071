import { existsSync } from 'node:fs';
import { listBackups } from '../backups/backup-files.ts';
import { findFolderProblem } from '../backups/check-backup-folder.ts';
import type { BackupOutcome } from '../backups/make-backup.ts';
import { recordNewestBackup } from '../backups/newest-backup.ts';
import { updateRemovedFile, copyRemovedFile, removedPath } from '../changes/removed-file.ts';
import type { Config } from '../config.ts';
import { runTask } from './run-task.ts';
import type { Job } from './job.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

export function createBackupJob({ backups, dataFolder, databasePath }: Config): Job {
  const { folder, minuteOfDay } = backups ?? { folder: undefined, minuteOfDay: 0 };
  return {
    // Runs every hour, so that a failed or missed backup is repeated.
    name: 'backup',
    schedule: `0 ${minuteOfDay % 60} * * * *`,
    lane: 'disk',
    deadlineMs: 55 * MINUTE_MS,
    run: async ({ db, write, signal, log }) => {
      if (folder === undefined) {
        write(() => recordNewestBackup(db, undefined));
        return {};
      }
      const now = Date.now();
      const newest = (): number | undefined =>
        listBackups(folder).find(({ madeAt }) => madeAt <= Date.now())?.madeAt;
      const isDue = (newest() ?? 0) < lastDueTime(now, minuteOfDay);
      let outcome: BackupOutcome | undefined;
      try {
        const task = { task: 'backup', databasePath, dataFolder, folder, now } as const;
        if (isDue) outcome = await runTask<BackupOutcome>(task, signal);
      } finally {
        write(() => recordNewestBackup(db, newest() ?? 'never'));
      }
      if (outcome && outcome.lostProofs > 0)
        log.warn({ lostProofs: outcome.lostProofs }, 'files of proofs are missing, and not in the backup');
      return outcome ?? {};
    },
  };
}

export function createRemovedFileJob({ backups, databasePath, dataFolder }: Config): Job {
  return {
    name: 'removed-file',
    schedule: '0 27 * * * *',
    isFollower: true,
    deadlineMs: 10 * MINUTE_MS,
    run: ({ db }) => {
      const written = Number(updateRemovedFile(db));
      const canCopy = backups && existsSync(backups.folder) && existsSync(removedPath(databasePath));
      // The job `backup` reports an unusable folder.
      if (canCopy && findFolderProblem(backups.folder, dataFolder) === undefined)
        copyRemovedFile(databasePath, backups.folder);
      return { written };
    },
  };
}

export function lastDueTime(now: number, minuteOfDay: number): number {
  const today = Math.floor(now / (DAY_MINUTES * MINUTE_MS)) * DAY_MINUTES * MINUTE_MS;
  const due = today + minuteOfDay * MINUTE_MS;
  return due <= now ? due : due - DAY_MINUTES * MINUTE_MS;
}
