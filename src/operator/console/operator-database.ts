/** The operator's database as the start and the verbs get it: there, of this version, and for as long as a verb works with it. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readLogHead } from '../../changes/log-head.ts';
import { openDatabase, sqlBuilder, type Database } from '../../db/database.ts';
import { isDiskFull } from '../../db/disk-room.ts';
import { migrateDatabase, readSchemaState } from '../../db/migrate.ts';
import { isWorkerActing } from '../../db/process-lock.ts';
import { countEntries } from '../../entries/count-entries.ts';
import { createIndexUpdater } from '../../lists/update-list-indexes.ts';
import { eraseWithoutWorker } from '../../removals/erase-removed.ts';
import { removedPath, updateRemovedFile } from '../../removals/removed-file.ts';
import { askToGoOn, notice, type Cli } from './cli.ts';
import { describeDeletable, describeFullDisk, freeReserveOnFullDisk, withReserve } from './full-disk.ts';
import { describePathProblem } from './outcome.ts';

/** How long a verb waits for others that write. */
const BUSY_TIMEOUT_MS = 60_000;
/** Files beside a database that a new database must not inherit. */
const LEFT_BESIDE = ['search.db', 'snapshots', 'proofs'];
const OFF_MAX_MS = 86_400_000;

/**
 * Migrates it.
 * @param mustExist throws without a file instead of making one
 * @param beforeMigration called where migrations are missing
 * @param keepsCopy keeps a copy for an earlier version that cannot read the migrated database
 */
export async function openOperatorDatabase(
  path: string,
  { mustExist = false, keepsCopy = true, beforeMigration = async (): Promise<void> => {} } = {},
): Promise<Database> {
  if (mustExist && !existsSync(path))
    throw new Error(`there is no database ${path}; "migrate" or "import" creates it`);
  const problem = findPathProblem(path);
  if (problem !== undefined) throw new Error(problem);
  const db = openNamed(path, mustExist);
  // The nightly VACUUM holds the lock for seconds.
  db.connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  try {
    if (readSchemaState(db) === 'behind') await beforeMigration();
    const applied = migrateDatabase(db, { keepsCopy });
    // Before a worker has run, the first reading process would sort by itself. Orders of an empty database would look valid
    // after the next import.
    if (applied.length > 0 && countEntries(db) > 0) await createIndexUpdater(db).follow();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** For a start. Without the database, but with the folders beside it, an empty one would answer "unknown" to all. */
export async function openFirstDatabase(path: string): Promise<Database> {
  const folder = dirname(path);
  const left = existsSync(path) ? [] : LEFT_BESIDE.filter((name) => existsSync(join(folder, name)));
  if (left.length > 0)
    throw new Error(
      `there is no database ${path}, but beside it ${left.join(', ')}: is a disk not mounted? ` +
        '"czujka restore" brings a database back, "czujka migrate" makes an empty one',
    );
  return openOperatorDatabase(path);
}

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
export function openToRead({ config, lockVersion }: Cli): Promise<Database> {
  return openOperatorDatabase(config.databasePath, { mustExist: true, beforeMigration: lockVersion });
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
  else await askToGoOn(cli, what, 'set the clock that is wrong, or say --yes');
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

export function findPathProblem(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? `DATABASE_PATH=${path} is a folder; it names a file, for example ${join(path, 'czujka.db')}`
    : undefined;
}

/** SQLite does not say which file it is speaking of. */
function openNamed(path: string, mustExist: boolean): Database {
  try {
    return openDatabase(path, 'write', { mustExist });
  } catch (error) {
    if (describePathProblem(error) !== undefined) throw error;
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
