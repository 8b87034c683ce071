/** The operator's database for as long as a verb works with it. */
import { readLogHead } from '../changes/log-head.ts';
import { updateRemovedFile, removedPath } from '../removals/removed-file.ts';
import { sqlBuilder, type Database } from '../db/database.ts';
import { isDiskFull } from '../db/disk-room.ts';
import { isWorkerActing } from '../db/process-lock.ts';
import { eraseWithoutWorker } from '../removals/erase-removed.ts';
import { askToGoOn, notice, type Cli } from './console/cli.ts';
import {
  describeDeletable,
  describeFullDisk,
  freeReserveOnFullDisk,
  withReserve,
} from './console/full-disk.ts';
import { openFirstDatabase, openOperatorDatabase } from './console/operator-database.ts';

const OFF_MAX_MS = 86_400_000;

/** An empty folder gets a database; with `openOperatorDatabase`, also a folder with those of an earlier one. */
export async function withDatabase<T>(
  cli: Cli,
  work: (db: Database) => T | Promise<T>,
  open: (path: string) => Promise<Database> = openFirstDatabase,
): Promise<T> {
  await cli.lockVersion();
  const db = await open(cli.config.databasePath);
  try {
    await checkClock(cli, db);
    const { seq } = readLogHead(db);
    let result: T;
    try {
      result = await work(db);
    } finally {
      // A verb that ends half-way has removed something, too.
      await writeRemovedFile(cli, db);
    }
    await eraseFromFiles(cli, db, seq);
    return result;
  } catch (error) {
    if (isDiskFull(error)) throw new Error(`${describeFullDisk(db, error)}; ${describeDeletable(db.path)}`);
    throw error;
  } finally {
    db.close();
  }
}

/** @throws when there is no database */
export function withPresentDatabase<T>(cli: Cli, work: (db: Database) => T | Promise<T>): Promise<T> {
  return withDatabase(cli, work, (path) => openOperatorDatabase(path, { mustExist: true }));
}

/** For verbs that withdraw something, also on a full disk. @throws when there is no database */
export function withReservedRoom<T>(cli: Cli, work: (db: Database) => Promise<T>): Promise<T> {
  const open = (path: string): Promise<Database> => openOperatorDatabase(path, { mustExist: true });
  return withDatabase(cli, work, (path) => withReserve(cli, () => open(path)));
}

/**
 * For verbs that only read, also while install.sh switches versions: nothing is written but a missing migration.
 * @throws when there is no database
 */
export async function readDatabase<T>(
  { config, lockVersion }: Cli,
  work: (db: Database) => T | Promise<T>,
): Promise<T> {
  using db = await openOperatorDatabase(config.databasePath, {
    mustExist: true,
    beforeMigration: lockVersion,
  });
  return await work(db);
}

/**
 * A verb stores the time. Under a wrong clock its entry would lead the list for years, or its change would be the oldest.
 * @throws {BadInputError} when the clock differs from that of a worker that lives, without `--yes`
 */
async function checkClock(cli: Cli, db: Database): Promise<void> {
  const now = Date.now();
  const written = db.first(sqlBuilder.selectFrom('status_write_probe').select('at'))?.at ?? now;
  if (Math.abs(now - written) <= OFF_MAX_MS) return;
  const [says, wrote] = [now, written].map((at) => new Date(at).toISOString());
  const what = `the clock says ${says}, and the worker last wrote at ${wrote} by its clock`;
  if (!isWorkerActing(db.path)) notice(cli, `${what}; is the clock right?`);
  else if (!cli.saysYes) await askToGoOn(cli, what, 'set the clock that is wrong, or say --yes');
}

/** The change of the verb stays, even when erasing fails. */
async function eraseFromFiles(cli: Cli, db: Database, since: number): Promise<void> {
  try {
    if (await withReserve(cli, () => eraseWithoutWorker(db, cli.config.dataFolder, since))) return;
    freeReserveOnFullDisk(cli);
    notice(
      cli,
      'gone from API and pages; the worker erases it from the files on the disk within ten minutes',
    );
  } catch (error) {
    notice(
      cli,
      `gone from API and pages, but not from all files yet (${(error as Error).message}); the worker tries again`,
    );
  }
}

/** A verb writes its removals to `removed.ndjson` before it ends; the worker does so too. */
async function writeRemovedFile(cli: Cli, db: Database): Promise<void> {
  try {
    await withReserve(cli, () => updateRemovedFile(db));
  } catch (error) {
    notice(
      cli,
      `${removedPath(db.path)} cannot be written (${(error as Error).message}); the worker tries again`,
    );
  }
}
