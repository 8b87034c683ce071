import { existsSync } from 'node:fs';
import { databaseFile, eachBackup } from '../backups/backup-files.ts';
import { findFolderProblem, findOwnerProblem } from '../backups/check-backup-folder.ts';
import { isIntact } from '../backups/compressed-database.ts';
import { rotateBackups, type BackupOutcome } from '../backups/make-backup.ts';
import { recordNewestBackup } from '../backups/newest-backup.ts';
import {
  updateRemovedFile,
  copyRemovedFile,
  mergeRemovedFile,
  removedPath,
} from '../removals/removed-file.ts';
import { listLogs } from '../removals/removals.ts';
import type { Config } from '../config.ts';
import { retentionTime } from '../db/retention-time.ts';
import type { Log } from '../log.ts';
import { DAY_MS, MINUTE_MS } from '../text/calendar.ts';
import { runTask } from './run-task.ts';
import type { Job } from './job-runner.ts';

export function createBackupJob({ backups, databasePath }: Config): Job {
  const { folder, minuteOfDay } = backups ?? { folder: undefined, minuteOfDay: 0 };
  return {
    // Runs every hour, so that a failed or missed backup is repeated.
    name: 'backup',
    schedule: `0 ${minuteOfDay % 60} * * * *`,
    lane: 'disk',
    deadlineMs: 55 * MINUTE_MS,
    run: async ({ db, write, signal, log }) => {
      if (folder === undefined) {
        write((tx) => recordNewestBackup(tx, undefined));
        return {};
      }
      const problem = findOwnerProblem(folder, listLogs(db));
      if (problem !== undefined) {
        write((tx) => recordNewestBackup(tx, 'never'));
        throw new Error(problem);
      }
      const now = Date.now();
      let newest = await findNewest(folder, log);
      let outcome: BackupOutcome | undefined;
      let removed = 0;
      try {
        if ((newest.intact ?? 0) < lastDueTime(now, minuteOfDay)) {
          const task = { task: 'backup', databasePath, folder, now } as const;
          outcome = await runTask<BackupOutcome>(task, signal);
          newest = await findNewest(folder, log);
        }
      } finally {
        // Also where none can be made, because they contain removed entries.
        removed = rotateBackups({ folder, databasePath }, write(retentionTime));
        write((tx) => recordNewestBackup(tx, newest.restorable ?? 'never'));
      }
      if (outcome && outcome.lostProofs > 0)
        log.warn({ lostProofs: outcome.lostProofs }, 'files of proofs are missing, and not in the backup');
      return { ...outcome, removed };
    },
  };
}

/** @returns when the newest was made whose content is what was written, and the newest that a restore takes */
async function findNewest(folder: string, log: Log): Promise<{ intact?: number; restorable?: number }> {
  let intact: number | undefined;
  for (const { name, madeAt, manifest } of eachBackup(folder)) {
    if (madeAt > Date.now()) continue;
    const file = databaseFile(folder, name);
    if (!(await isIntact(file, manifest.sha256))) {
      log.error({ file }, 'a backup is damaged');
      continue;
    }
    intact ??= madeAt;
    if (manifest.problem === undefined) return { intact, restorable: madeAt };
    log.error({ file, problem: manifest.problem }, 'restore would refuse a backup');
  }
  return intact === undefined ? {} : { intact };
}

export function createRemovedFileJob({ backups, databasePath, dataFolder }: Config): Job {
  let mergedAt = Number.NEGATIVE_INFINITY;
  let isOwnFolder = false;
  return {
    name: 'removed-file',
    schedule: '0 27 * * * *',
    isFollower: true,
    deadlineMs: 10 * MINUTE_MS,
    run: ({ db }) => {
      const now = performance.now();
      const isWhole = now - mergedAt >= DAY_MS;
      const written = Number(updateRemovedFile(db)) + (isWhole ? Number(mergeRemovedFile(db)) : 0);
      const canCopy = backups && existsSync(backups.folder) && existsSync(removedPath(databasePath));
      // The job `backup` reports an unusable folder.
      if (canCopy && findFolderProblem(backups.folder, dataFolder) === undefined) {
        if (isWhole || !isOwnFolder)
          isOwnFolder = findOwnerProblem(backups.folder, listLogs(db)) === undefined;
        if (isOwnFolder) copyRemovedFile(db, backups.folder, isWhole);
      }
      if (isWhole) mergedAt = now;
      return { written };
    },
  };
}

export function lastDueTime(now: number, minuteOfDay: number): number {
  const timeOfDay = minuteOfDay * MINUTE_MS;
  return Math.floor((now - timeOfDay) / DAY_MS) * DAY_MS + timeOfDay;
}
