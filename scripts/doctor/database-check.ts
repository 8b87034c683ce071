/** The database, the worker, the read model and the backups. The checks change nothing. */
import { existsSync } from 'node:fs';
import { listBackups } from '#src/backups/backup-files.ts';
import { readLogHead } from '#src/changes/log-head.ts';
import type { Config } from '#src/config.ts';
import { openDatabase } from '#src/db/database.ts';
import type { Database } from '#src/db/database.ts';
import { listFailingFollowers } from '#src/db/failing-followers.ts';
import { missingProblem, readSchemaState, schemaProblem } from '#src/db/migrate.ts';
import { checkFile } from '#src/db/check-file.ts';
import { readRoom } from '#src/db/disk-room.ts';
import { lockForProcess } from '#src/db/process-lock.ts';
import { isVacuumDue, vacuumRoom } from '#src/worker/vacuum-work.ts';
import { workerLock } from '#src/worker/worker.ts';
import { findIndexState } from '#src/serving/list-indexes.ts';
import { findSearchState, identifyFile, openSearchFile, searchPath } from '#src/serving/search-file.ts';
import { fine, messageOf, notice, wrong } from './finding.ts';
import type { Finding } from './finding.ts';

const DATABASE = 'database';
const LISTS = 'sorted lists';
const SEARCH = 'search';
/** A worker follows a change within a second. */
const PATIENCE_MS = 3_000;
/** One backup a day, and an hour for making it. */
const BACKUP_AGE_MAX_MS = 26 * 3_600_000;
const REBUILD = 'delete it; the worker makes it again, and searches answer 503 until then';
const START = 'start the service, or look into its log for why the worker ends';
const RESTORE = 'stop the service, move the file away, restore the newest backup; and look at the disk';

export async function checkDatabase({ databasePath }: Config): Promise<Finding[]> {
  if (!existsSync(databasePath))
    return [wrong(DATABASE, missingProblem(databasePath), 'is DATABASE_PATH right, and its disk mounted?')];
  let db: Database;
  try {
    db = openDatabase(databasePath, 'read');
  } catch (error) {
    const says = `${databasePath} cannot be opened: ${messageOf(error)}`;
    return [wrong(DATABASE, says, 'look at the rights of the file; where it is damaged, restore a backup')];
  }
  try {
    const state = readSchemaState(db);
    if (state !== 'current')
      return [wrong(DATABASE, schemaProblem(databasePath, state), 'use the version that fits the database')];
    const damage = checkFile(db).join('; ');
    const whole = damage
      ? wrong(DATABASE, `${databasePath} is damaged: ${damage}`, RESTORE)
      : fine(DATABASE, 'is whole');
    return [whole, ...checkVacuum(db), checkWorker(db), await checkLists(db), checkSearch(db)];
  } catch (error) {
    return [wrong(DATABASE, `${databasePath} cannot be read: ${messageOf(error)}`, RESTORE)];
  } finally {
    db.close();
  }
}

function checkVacuum(db: Database): Finding[] {
  const { free, reusable } = readRoom(db);
  const [needed, found] = [vacuumRoom(db), free + reusable];
  if (!isVacuumDue(db) || found >= needed) return [];
  const says = `the nightly VACUUM is left out for lack of room (${needed} bytes, ${found} are free): traces of removed entries may stay in the file`;
  return [wrong(DATABASE, says, 'make room on the disk; the next night makes up for it')];
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
  const [newest] = listBackups(backups.folder);
  const todo = `look into the log of the worker for the job "backup"; is there room in ${backups.folder}?`;
  if (!newest) return [wrong(about, `there is none in ${backups.folder}`, todo)];
  const hours = Math.round((now - newest.madeAt) / 3_600_000);
  const shown = `the newest is ${hours} hours old: ${newest.name}`;
  return [now - newest.madeAt > BACKUP_AGE_MAX_MS ? wrong(about, shown, todo) : fine(about, shown)];
}
