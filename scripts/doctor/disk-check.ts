/** Files and the disk that they lie on: whose they are, who may read them, and how much room is left. */
import { accessSync, constants, existsSync, globSync, lstatSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_FOLDERS } from '#src/backups/check-backup-folder.ts';
import { REMOVED_FILE } from '#src/changes/removed-file.ts';
import type { Config } from '#src/config.ts';
import { describeLongWal } from '#src/db/truncate-wal.ts';
import { fine, notice, unknown, wrong } from './finding.ts';
import type { Finding } from './finding.ts';

const MEGABYTE = 1_000_000;
/** Room for a day of logs, samples and proofs, whatever the lists take. */
const FREE_MIN_BYTES = 200 * MEGABYTE;
const OTHERS_BITS = 0o007;
const NAMED_MAX = 3;

export function checkRights({ databasePath, dataFolder, backups }: Config): Finding[] {
  const about = 'rights';
  if (!existsSync(dataFolder)) return [];
  const found: Finding[] = [];
  const owner = statSync(dataFolder).uid;
  const files = [
    ...globSync(`${databasePath}*`),
    ...DATA_FOLDERS.flatMap((folder) => [
      join(dataFolder, folder),
      ...globSync(join(dataFolder, folder, '**/*')),
    ]),
    join(dataFolder, REMOVED_FILE),
  ].filter((path) => existsSync(path));
  const foreign = files.filter((path) => lstatSync(path).uid !== owner);
  if (foreign.length > 0)
    found.push(
      wrong(
        about,
        `${foreign.length} files belong to another user than ${dataFolder}, so that the service cannot change them: ` +
          foreign.slice(0, NAMED_MAX).join(', '),
        `run: chown -R --reference=${dataFolder} ${dataFolder}; and run "czujka" as the user of the service`,
      ),
    );
  const closed = [dataFolder, ...files].filter((path) => !mayUse(path));
  if (closed.length > 0)
    found.push(
      wrong(
        about,
        `this user may not read and write ${closed.slice(0, NAMED_MAX).join(', ')}`,
        `run this as the user of the service; where it is that, run: chmod -R u+rwX ${dataFolder}`,
      ),
    );
  const open = [databasePath, join(dataFolder, 'proofs/originals'), join(dataFolder, REMOVED_FILE)].filter(
    (path) => existsSync(path) && (statSync(path).mode & OTHERS_BITS) !== 0,
  );
  if (open.length > 0)
    found.push(
      wrong(
        about,
        `others on this machine may read ${open.join(', ')}`,
        `run: chmod -R o-rwx ${open.join(' ')}`,
      ),
    );
  if (backups && existsSync(backups.folder)) {
    if (!mayUse(backups.folder))
      found.push(
        wrong(
          about,
          `this user may not write into ${backups.folder}`,
          'give the folder to the user of the service',
        ),
      );
    if (statSync(backups.folder).dev === statSync(dataFolder).dev)
      found.push(
        notice(
          about,
          `${backups.folder} lies on the same disk as the database: when it is lost, both are`,
          'put BACKUP_FOLDER on another disk, or copy it away',
        ),
      );
  }
  return found.length > 0 ? found : [fine(about, 'the files belong to one user, and to nobody else')];
}

/** The read model is made anew beside the old one, a backup unpacked beside itself: both need room. */
export function checkRoom({ databasePath, dataFolder, backups }: Config): Finding[] {
  const about = 'disk';
  const folders = [dataFolder, ...(backups ? [backups.folder] : [])].filter((folder) => existsSync(folder));
  const database = sizeOf(databasePath);
  const readModel = globSync(join(dataFolder, 'serving/*.db')).reduce((sum, path) => sum + sizeOf(path), 0);
  const longLog = describeLongWal(databasePath);
  const findings = folders.map((folder) => {
    try {
      const { bavail, bsize } = statfsSync(folder);
      const free = bavail * bsize;
      const needed = FREE_MIN_BYTES + 2 * database + (folder === dataFolder ? readModel : 0);
      const shown = `${megabytes(free)} free on the disk of ${folder}`;
      return free < needed
        ? wrong(
            about,
            `${shown}, and making the read model or a backup anew may take ${megabytes(needed)}`,
            'make room: writes fail on a full disk, and readers get what is there',
          )
        : fine(about, shown);
    } catch (error) {
      return unknown(about, error);
    }
  });
  if (longLog !== undefined)
    findings.push(wrong(about, longLog, `find it with "fuser -v ${databasePath}" and end it`));
  return findings;
}

function mayUse(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / MEGABYTE)} MB`;
}
