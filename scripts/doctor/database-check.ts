/** The database, the worker that writes it, the read model that follows it, and the backups of it. Nothing is changed. */
import { existsSync } from 'node:fs';
import { listBackups } from '#src/backups/backup-files.ts';
import { readLogHead } from '#src/changes/log-head.ts';
import type { Config } from '#src/config.ts';
import { openDatabase } from '#src/db/database.ts';
import type { Database } from '#src/db/database.ts';
import { listFailingFollowers } from '#src/db/failing-followers.ts';
import { monotonicMs } from '#src/db/machine-clock.ts';
import { missingProblem, readSchemaState, schemaProblem } from '#src/db/migrate.ts';
import { checkFile } from '#src/serving/keep-serving.ts';
import { findState, isMarkedDamaged, listServingFiles, openToRead } from '#src/serving/serving-file.ts';
import { fine, messageOf, notice, unknown, wrong } from './finding.ts';
import type { Finding } from './finding.ts';

/** A worker that acts renews its lease every five seconds, and follows a change within one. */
const PATIENCE_MS = 3_000;
/** One a day, and an hour for making it. */
const BACKUP_AGE_MAX_MS = 25 * 3_600_000 + 3_600_000;
const REBUILD = 'run "npm run czujka -- rebuild"; until the worker has made it again, lists are slower';
const START = 'start the service, or look into its log for why the worker ends';

export async function checkDatabase({ databasePath }: Config): Promise<Finding[]> {
  const about = 'database';
  if (!existsSync(databasePath))
    return [wrong(about, missingProblem(databasePath), 'is DATABASE_PATH right, and its disk mounted?')];
  let db: Database;
  try {
    db = openDatabase(databasePath, 'read');
  } catch (error) {
    return [
      wrong(
        about,
        `${databasePath} cannot be opened: ${messageOf(error)}`,
        'look at the rights of the file; where it is damaged, restore a backup',
      ),
    ];
  }
  try {
    const state = readSchemaState(db);
    if (state !== 'current')
      return [wrong(about, schemaProblem(databasePath, state), 'use the version that fits the database')];
    const damage = checkFile(db);
    const whole =
      damage.length > 0
        ? wrong(
            about,
            `${databasePath} is damaged: ${damage.join('; ')}`,
            'stop the service, move the file away, restore the newest backup; and look at the disk',
          )
        : fine(about, 'is whole');
    return [whole, checkWorker(db), await checkReadModel(db)];
  } catch (error) {
    return [
      wrong(
        about,
        `${databasePath} cannot be read: ${messageOf(error)}`,
        'stop the service, move the file away, restore the newest backup; and look at the disk',
      ),
    ];
  } finally {
    db.close();
  }
}

function checkWorker(db: Database): Finding {
  const about = 'worker';
  const lease = db
    .statement<{ until: number }>("SELECT expires_at_monotonic AS until FROM leases WHERE name = 'worker'")
    .get();
  if (!lease || lease.until <= monotonicMs())
    return wrong(
      about,
      'no worker acts: changes, measurements, donations and backups wait',
      'start the service ("npm start", or: systemctl start czujka) and look into its log for why the worker ends',
    );
  const failing = listFailingFollowers(db);
  if (failing.length > 0)
    return wrong(
      about,
      `${failing.join(', ')} failed three times in a row: what they make of the lists is old`,
      'look into its log for "job failed"; is there room on the disk, and memory?',
    );
  return fine(about, 'acts');
}

async function checkReadModel(db: Database): Promise<Finding> {
  const about = 'read model';
  const [path] = listServingFiles(db.path);
  if (path === undefined)
    return wrong(about, 'is not there: lists are slow, and searches may answer 503', START);
  if (isMarkedDamaged(path)) return wrong(about, `${path} is damaged`, REBUILD);
  try {
    const file = openToRead(path);
    try {
      const damage = checkFile(file);
      if (damage.length > 0) return wrong(about, `${path} is damaged: ${damage.join('; ')}`, REBUILD);
      const behind = await readBehind(db, file);
      if (behind === 'making') return notice(about, 'is being made');
      return behind > 0
        ? wrong(about, `is ${behind} changes behind: lists lack what was added since`, START)
        : fine(about, 'is whole, and as new as the database');
    } finally {
      file.close();
    }
  } catch (error) {
    return wrong(about, `${path} is damaged, or may not be read: ${messageOf(error)}`, REBUILD);
  }
}

/** What is behind now may be on its way: it is looked at once more. */
async function readBehind(db: Database, file: Database): Promise<number | 'making'> {
  const look = (): number | 'making' => {
    const [head, state] = [readLogHead(db), findState(file)];
    if (!state || state.history !== head.history) return head.seq;
    return state.builtThrough === null ? head.seq - state.seq : 'making';
  };
  if (look() === 0) return 0;
  await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  return look();
}

export function checkBackups({ backups }: Config, now: number): Finding[] {
  const about = 'backup';
  if (!backups) return [];
  try {
    const [newest] = listBackups(backups.folder);
    const todo = `look into the log of the worker for the job "backup"; is there room in ${backups.folder}?`;
    if (!newest) return [wrong(about, `there is none in ${backups.folder}`, todo)];
    const hours = Math.round((now - newest.madeAt) / 3_600_000);
    const shown = `the newest is ${hours} hours old: ${newest.name}`;
    return [now - newest.madeAt > BACKUP_AGE_MAX_MS ? wrong(about, shown, todo) : fine(about, shown)];
  } catch (error) {
    return [unknown(about, error)];
  }
}
