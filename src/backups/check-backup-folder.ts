/** The daily backup deletes old files in BACKUP_FOLDER by their names. */
import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { DATA_FOLDERS } from '../data-files.ts';
import { eachBackup, PROOFS_FOLDER } from './backup-files.ts';

/** @param folder absolute @returns a sentence for the operator; undefined when the folder may be used */
export function findFolderProblem(folder: string, dataFolder: string): string | undefined {
  const link = [folder, join(folder, PROOFS_FOLDER)].find(isLink);
  if (link !== undefined)
    return `BACKUP_FOLDER=${folder}: ${link} is a symbolic link, and backups delete old files in it; name or mount the folder itself`;
  const [real, realData] = [findRealPath(folder), findRealPath(dataFolder)];
  const isInData = ['', ...DATA_FOLDERS].includes(firstStep(realData, real));
  return isInData || firstStep(real, realData) === PROOFS_FOLDER
    ? `BACKUP_FOLDER=${folder}: must be a folder apart from the data folder ${dataFolder}`
    : undefined;
}

/** @param logs of the database and of its earlier states @returns a sentence when another database is backed up there */
export function findOwnerProblem(folder: string, logs: readonly string[]): string | undefined {
  const newest = eachBackup(folder).find(({ manifest }) => manifest.logId !== undefined);
  return newest === undefined || logs.includes(newest.manifest.logId ?? '')
    ? undefined
    : `BACKUP_FOLDER=${folder}: ${newest.name} is a backup of another database, and each needs a folder of its own`;
}

function firstStep(from: string, to: string): string {
  return relative(from, to).split(sep)[0] ?? '';
}

/** In an unreachable folder the backup itself fails and says why. */
function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** Resolves what is there of the path. */
export function findRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return join(findRealPath(dirname(path)), basename(path));
  }
}
