/** The files and their disk: owner, rights and free room. */
import { accessSync, constants, existsSync, globSync, lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_FILES, DATA_FOLDERS } from '../../data-files.ts';
import type { Config } from '../../config.ts';
import { fileBytes, freeBytes } from '../../db/disk-room.ts';
import { listKilledRestores } from '../../db/own-folder.ts';
import { describeLongWal } from '../../db/truncate-wal.ts';
import { searchPath } from '../../search/search-file.ts';
import { describeDeletable } from '../console/full-disk.ts';
import { fine, notice, wrong, type Found } from './finding.ts';

const MEGABYTE = 1_000_000;
/** Room for a day of logs, samples and proofs. */
const FREE_MIN_BYTES = 200 * MEGABYTE;
const OTHERS_BITS = 0o007;
const NAMED_MAX = 3;
const REMOVES_IT = 'a running worker removes it within an hour, "czujka migrate" at once';

export function checkRights({ databasePath, dataFolder, backups }: Config): Found[] {
  if (!existsSync(dataFolder)) return [];
  const found: Found[] = [];
  const report = (files: readonly string[], says: string, todo: string): void => {
    if (files.length > 0) found.push(wrong(`${says} ${files.slice(0, NAMED_MAX).join(', ')}`, todo));
  };
  const owner = statSync(dataFolder).uid;
  const files = [
    ...globSync(`${databasePath}*`),
    ...globSync(join(dataFolder, `{${DATA_FILES.join()}}*`)),
    ...DATA_FOLDERS.flatMap((folder) => [
      join(dataFolder, folder),
      ...globSync(join(dataFolder, folder, '**/*')),
    ]),
  ].filter((path) => existsSync(path));
  const foreign = files.filter((path) => lstatSync(path).uid !== owner);
  report(
    foreign,
    `${foreign.length} files belong to another user than ${dataFolder}, so that the service cannot change them:`,
    `run: chown -R --reference=${dataFolder} ${dataFolder}; and run "czujka" as the user of the service`,
  );
  report(
    [dataFolder, ...files].filter((path) => !mayUse(path)),
    'this user may not read and write',
    `run this as the user of the service; where it is that, run: chmod -R u+rwX ${dataFolder}`,
  );
  const secret = ['proofs/originals', 'removed.ndjson', 'removed.key'].map((name) => join(dataFolder, name));
  const open = [databasePath, ...secret].filter(
    (path) => existsSync(path) && (statSync(path).mode & OTHERS_BITS) !== 0,
  );
  report(open, 'others on this machine may read', `run: chmod -R o-rwx ${open.join(' ')}`);
  const folder = backups && existsSync(backups.folder) ? backups.folder : undefined;
  if (folder !== undefined) {
    const closed = mayUse(folder) ? [] : [folder];
    report(closed, 'this user may not write into', 'give the folder to the user of the service');
    if (statSync(folder).dev === statSync(dataFolder).dev) {
      const says = `${folder} lies on the same disk as the database: when it is lost, both are`;
      found.push(notice(says, 'put BACKUP_FOLDER on another disk, or copy it away'));
    }
  }
  return found.length > 0 ? found : [fine('the files belong to one user, and to nobody else')];
}

/** The worker makes a new search.db beside the old one and unpacks a backup beside the database: both need room. */
export function checkRoom({ databasePath, dataFolder, backups }: Config): Found[] {
  const folders = [dataFolder, ...(backups ? [backups.folder] : [])].filter((folder) => existsSync(folder));
  const search = fileBytes(searchPath(databasePath));
  const findings = folders.map((folder) => {
    const free = freeBytes(folder);
    const needed = FREE_MIN_BYTES + 2 * fileBytes(databasePath) + (folder === dataFolder ? search : 0);
    const shown = `${megabytes(free)} free on the disk of ${folder}`;
    if (free >= needed) return fine(shown);
    const says = `${shown}, and making search.db or a backup again may take ${megabytes(needed)}`;
    const deletable = folder === dataFolder ? `; ${describeDeletable(databasePath)}` : '';
    const todo = `make room: writes fail on a full disk, and readers get what is there${deletable}`;
    return wrong(says, todo);
  });
  for (const folder of existsSync(dataFolder) ? listKilledRestores(databasePath) : [])
    findings.push(notice(`a killed restore left ${folder}, which may hold removed texts`, REMOVES_IT));
  const longLog = describeLongWal(databasePath);
  if (longLog === undefined) return findings;
  return [...findings, wrong(longLog, `find it with "fuser -v ${databasePath}" and end it`)];
}

function mayUse(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / MEGABYTE)} MB`;
}
