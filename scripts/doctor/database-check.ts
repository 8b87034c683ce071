/** The database, the worker, the read model and the backups. The checks change nothing. */
import { existsSync, statfsSync, statSync } from 'node:fs';
import { databaseFile, listBackups } from '#src/backups/backup-files.ts';
import { readLogHead } from '#src/changes/log-head.ts';
import { readRemovedFile, removedPath } from '#src/changes/removed-file.ts';
import type { Config } from '#src/config.ts';
import { identifyFile, openDatabase, type Database } from '#src/db/database.ts';
import { listFailingFollowers } from '#src/db/readiness.ts';
import { missingProblem, readSchemaState, schemaProblem } from '#src/db/migrate.ts';
import { checkFile } from '#src/db/check-file.ts';
import { isDiskFull, readRoom } from '#src/db/disk-room.ts';
import { lockForProcess, workerLock } from '#src/db/process-lock.ts';
import { isVacuumDue, vacuumRoom } from '#src/worker/vacuum-work.ts';
import { listPictureless } from '#src/proofs/keep-proof-files.ts';
import {
  checkProofOwner,
  listMissingOriginals,
  listOriginals,
  originalPath,
} from '#src/proofs/proof-files.ts';
import { readProofFile } from '#src/proofs/read-proof-file.ts';
import { findIndexState } from '#src/lists/list-indexes.ts';
import { findSearchState, openSearchFile, searchPath } from '#src/search/search-file.ts';
import { findPathProblem } from '../operator/operator-database.ts';
import { counted } from '../operator/outcome.ts';
import { fine, messageOf, notice, wrong, type Finding } from './finding.ts';

const DATABASE = 'database';
const LISTS = 'sorted lists';
const SEARCH = 'search';
/** A worker follows a change within a second. */
const PATIENCE_MS = 3_000;
/** One backup a day, and an hour for making it. */
const BACKUP_AGE_MAX_MS = 26 * 3_600_000;
/** For reading original images, in random order: each run sees others. */
const READING_MS = 2_000;
const REBUILD =
  'a search that meets the damage has the worker make it again; to have it now, delete it; searches answer 503 until then';
const START = 'start the service, or look into its log for why the worker ends';
const RESTORE =
  'stop the service (with systemd: czujka.socket), move the file away, restore the newest backup; and look at the disk';

/** With less free on the disk, SQLite cannot even make the files that it reads with. */
const FULL_BYTES = 1_000_000;
/** Tolerated milliseconds of a change in the future. */
const CLOCK_OFF_MAX_MS = 60_000;

export async function checkDatabase(
  { databasePath, dataFolder }: Config,
  now = Date.now(),
): Promise<Finding[]> {
  const { bavail, bsize } = existsSync(dataFolder)
    ? statfsSync(dataFolder)
    : { bavail: 1, bsize: FULL_BYTES };
  const isFull = bavail * bsize < FULL_BYTES;
  const makeRoom = 'the disk is full: make room on it, and ask doctor again';
  if (!existsSync(databasePath))
    return [wrong(DATABASE, missingProblem(databasePath), 'is DATABASE_PATH right, and its disk mounted?')];
  const folderProblem = findPathProblem(databasePath);
  if (folderProblem !== undefined) return [wrong(DATABASE, folderProblem, 'mend DATABASE_PATH')];
  let db: Database;
  try {
    db = openDatabase(databasePath, 'read');
  } catch (error) {
    const says = `${databasePath} cannot be opened: ${messageOf(error)}`;
    const todo = 'look at the rights of the file; where it is damaged, restore a backup';
    return [wrong(DATABASE, says, isFull ? makeRoom : todo)];
  }
  try {
    const state = readSchemaState(db);
    if (state !== 'current')
      return [wrong(DATABASE, schemaProblem(databasePath, state), 'use the version that fits the database')];
    const damage = checkFile(db).join('; ');
    const whole = damage
      ? wrong(DATABASE, `${databasePath} is damaged: ${damage}`, isFull ? makeRoom : RESTORE)
      : fine(DATABASE, 'is whole');
    const facts = [...checkVacuum(db), ...checkNewest(db, now), ...(await checkProofs(db, dataFolder))];
    return [whole, ...facts, checkWorker(db), await checkLists(db), checkSearch(db)];
  } catch (error) {
    const todo = isFull || isDiskFull(error) ? makeRoom : RESTORE;
    return [wrong(DATABASE, `${databasePath} cannot be read: ${messageOf(error)}`, todo)];
  } finally {
    db.close();
  }
}

function checkVacuum(db: Database): Finding[] {
  if (!isVacuumDue(db)) return [];
  const { free, reusable } = readRoom(db);
  const [needed, found] = [vacuumRoom(db), free + reusable];
  if (found >= needed) return [];
  const says = `the nightly VACUUM is left out for lack of room (${needed} bytes, ${found} are free): traces of removed entries may stay in the file`;
  return [wrong(DATABASE, says, 'make room on the disk; the next night makes up for it')];
}

/** Compares the newest change with the clock and with the list of removals. */
function checkNewest(db: Database, now: number): Finding[] {
  const { history, seq } = readLogHead(db);
  const newest = db.statement<number | null>('SELECT max(at) FROM changes').pluck().get() ?? 0;
  const found: Finding[] = [];
  if (newest > now + CLOCK_OFF_MAX_MS) {
    const says = `says ${new Date(now).toISOString()}, and the newest change is of ${new Date(newest).toISOString()}`;
    found.push(wrong('clock', says, 'set the clock; where it is right, it was wrong at that change'));
  }
  const file = removedPath(db.path);
  const removals = existsSync(file) ? readRemovedFile(file) : [];
  if (removals.some((removal) => removal.history === history && removal.change > seq)) {
    const says = `is older than ${file}: somebody put an earlier state in its place, and removed entries are back`;
    found.push(
      wrong(DATABASE, says, 'put backups in place with "restore", which leaves removed entries out'),
    );
  }
  return found;
}

async function checkProofs(db: Database, dataFolder: string): Promise<Finding[]> {
  try {
    checkProofOwner(db, dataFolder);
  } catch (error) {
    return [wrong('proofs', messageOf(error), 'images are neither added nor deleted until then')];
  }
  const found: Finding[] = [];
  const report = (files: readonly string[], what: string, todo: string): void => {
    if (files.length === 0) return;
    const says = `${counted(files.length, 'original image')} ${what}, for example ${originalPath(dataFolder, files[0] ?? '')}`;
    found.push(wrong('proofs', says, todo));
  };
  const copy = 'from the folder proofs of BACKUP_FOLDER, as the user of the service';
  const lost = listMissingOriginals(db, dataFolder);
  report(lost, 'cannot be found', `copy them ${copy}`);
  const changed: string[] = [];
  const deadline = performance.now() + READING_MS;
  for (const sha256 of listOriginals(db).sort(() => Math.random() - 0.5)) {
    if (performance.now() > deadline) break;
    const read = await readProofFile(originalPath(dataFolder, sha256));
    if (read.ok && read.sha256 !== sha256) changed.push(sha256);
  }
  report(changed, 'with another content than the name (SHA-256) says', `delete them, and copy them ${copy}`);
  report(
    listPictureless(db, dataFolder),
    'of public proofs without all pictures, so that visitors see less',
    'run "czujka rebuild", which makes them again',
  );
  return found;
}

function checkWorker(db: Database): Finding {
  if (!isWorkerActing(db.path))
    return wrong('worker', 'no worker acts: changes, measurements, donations and backups wait', START);
  const failing = listFailingFollowers(db);
  return failing.length === 0
    ? fine('worker', 'acts')
    : wrong(
        'worker',
        `${failing.join(', ')} failed three times in a row: what they make of the lists is old`,
        'look into its log for "job failed"; is there room on the disk, and memory?',
      );
}

/** No other process holds the worker's lock for longer than this look. */
function isWorkerActing(databasePath: string): boolean {
  const file = workerLock(databasePath);
  const release = existsSync(file) ? lockForProcess(file) : () => {};
  release?.();
  return release === undefined;
}

async function checkLists(db: Database): Promise<Finding> {
  let behind = countBehind(db);
  if (behind !== 0) {
    // The worker may be about to follow.
    await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
    behind = countBehind(db);
  }
  if (behind === undefined)
    return wrong(LISTS, 'are not stored: each start of the service sorts them', START);
  return behind > 0
    ? wrong(LISTS, `are ${behind} changes behind: they lack what was added since`, START)
    : fine(LISTS, 'are as new as the database');
}

/** @returns undefined when there are none that fit the database */
function countBehind(db: Database): number | undefined {
  const [head, state] = [readLogHead(db), findIndexState(db)];
  return state?.history === head.history ? head.seq - state.seq : undefined;
}

function checkSearch(db: Database): Finding {
  const path = searchPath(db.path);
  if (identifyFile(path) === undefined)
    return wrong(SEARCH, `${path} is not there: searches answer 503`, START);
  try {
    const file = openSearchFile(path, 'read');
    try {
      const damage = checkFile(file).join('; ');
      if (damage) return wrong(SEARCH, `${path} is damaged: ${damage}`, REBUILD);
      return findSearchState(file)?.history === readLogHead(db).history
        ? fine(SEARCH, 'is whole')
        : notice(SEARCH, 'is being made');
    } finally {
      file.close();
    }
  } catch (error) {
    return wrong(SEARCH, `${path} is damaged, or may not be read: ${messageOf(error)}`, REBUILD);
  }
}

export function checkBackups({ backups }: Config, now: number): Finding[] {
  const about = 'backup';
  if (!backups) return [];
  const { folder } = backups;
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return [
      wrong(
        about,
        `BACKUP_FOLDER=${folder} is no folder that is there`,
        'is its disk mounted? Otherwise make it',
      ),
    ];
  const made = listBackups(folder);
  const cut = made.filter(
    ({ name, manifest }) => statSync(databaseFile(folder, name)).size !== manifest.bytes,
  );
  const damaged = cut.map(({ name, manifest }) =>
    wrong(
      about,
      `${databaseFile(folder, name)} does not have the ${manifest.bytes} bytes that it was written with: it is cut off or changed`,
      'delete it with its .json; the worker makes the newest one again within an hour; and look at the disk',
    ),
  );
  const [newest] = made;
  const todo = `look into the log of the worker for the job "backup"; is there room in ${folder}?`;
  if (!newest) return [wrong(about, `there is none in ${folder}`, todo)];
  const hours = Math.round((now - newest.madeAt) / 3_600_000);
  const shown = `the newest is ${hours} hours old: ${newest.name}`;
  return [
    ...damaged,
    now - newest.madeAt > BACKUP_AGE_MAX_MS ? wrong(about, shown, todo) : fine(about, shown),
  ];
}
