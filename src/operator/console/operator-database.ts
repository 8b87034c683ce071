/** The operator's database as the start and the verbs get it: there, of this version, and for as long as a verb works with it. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readLogHead } from '../../changes/change-log.ts';
import { besideDatabase } from '../../data-files.ts';
import { openDatabase, sqlBuilder, type Database } from '../../db/database.ts';
import { isDiskFull } from '../../db/disk-room.ts';
import { migrateDatabase, readSchemaState } from '../../db/migrate.ts';
import { isWorkerActing } from '../../db/process-lock.ts';
import { removeKilledRestores } from '../../db/own-folder.ts';
import { countEntries } from '../../entries/entry-statistics.ts';
import { createIndexUpdater } from '../../lists/update-list-indexes.ts';
import { eraseWithoutWorker } from '../../removals/erase-removed.ts';
import { removedPath, updateRemovedFile } from '../../removals/removed-file.ts';
import { describeLostKey, lacksRemovedKey } from '../../removals/removed-key.ts';
import { askToGoOn, printNotice, type Cli } from './cli.ts';
import { describeDeletable, describeFullDisk, freeReserveOnFullDisk, withReserve } from './full-disk.ts';
import { lockInstalledVersion } from './installed-version.ts';
import { describePathProblem } from './outcome.ts';

/** How long a verb waits for others that write. */
const BUSY_TIMEOUT_MS = 60_000;
/** Files beside a database that a new database must not inherit. */
const LEFT_BESIDE = ['search.db', 'snapshots', 'proofs'] as const;
const OFF_MAX_MS = 86_400_000;

interface OpenOptions {
  /**
   * Without a file, `recreate` makes one, also beside the files of an earlier one. `create` refuses that: where a disk is
   * not mounted, an empty database would answer "unknown" to all.
   */
  readonly whenMissing?: 'recreate' | 'create' | 'refuse';
  /** Makes a copy for an earlier version that cannot read the migrated database. */
  readonly makesCopy?: boolean;
  /** Waits while install.sh switches versions where migrations are missing. */
  readonly cli?: Cli;
}

/** Migrates it. @throws when there is no database and none may be made */
export async function openOperatorDatabase(
  path: string,
  { whenMissing = 'recreate', makesCopy = true, cli }: OpenOptions = {},
): Promise<Database> {
  if (!existsSync(path) && whenMissing !== 'recreate') checkMayMake(path, whenMissing);
  const problem = findPathProblem(path);
  if (problem !== undefined) throw new Error(problem);
  using onFailure = new DisposableStack();
  const db = onFailure.use(openNamed(path, whenMissing === 'refuse'));
  // The nightly VACUUM holds the lock for seconds.
  db.connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  if (cli && readSchemaState(db) === 'behind') await lockInstalledVersion(cli);
  removeKilledRestores(path);
  const applied = migrateDatabase(db, { makesCopy });
  // Before a worker has run, the first reading process would sort by itself. Orders of an empty database would look valid
  // after the next import.
  if (applied.length > 0 && countEntries(db) > 0) await createIndexUpdater(db).catchUp();
  onFailure.move();
  return db;
}

function checkMayMake(path: string, whenMissing: 'create' | 'refuse'): void {
  if (whenMissing === 'refuse')
    throw new Error(`there is no database ${path}; "migrate" or "import" creates it`);
  const left = LEFT_BESIDE.filter((name) => existsSync(besideDatabase(path, name)));
  if (left.length > 0)
    throw new Error(
      `there is no database ${path}, but beside it ${left.join(', ')}: is a disk not mounted? ` +
        '"czujka restore" brings a database back, "czujka migrate" makes an empty one',
    );
}

/** For verbs that only read, also while install.sh switches versions: a missing migration is all that it writes. */
export async function openMigrated(cli: Cli): Promise<Database> {
  const db = await openOperatorDatabase(cli.config.databasePath, { whenMissing: 'refuse', cli });
  return cli.disposables.use(db);
}

interface OpenToWriteOptions extends Pick<OpenOptions, 'whenMissing'> {
  /** Opens the database also on a full disk, by the room of the reserve. */
  readonly usesDiskReserve?: boolean | undefined;
}

/** For verbs that write; `runCli` ends them with `finishWrite`. */
export async function openToWrite(
  cli: Cli,
  { whenMissing = 'refuse', usesDiskReserve = false }: OpenToWriteOptions = {},
): Promise<Database> {
  await lockInstalledVersion(cli);
  const open = () => openOperatorDatabase(cli.config.databasePath, { whenMissing });
  const db = cli.disposables.use(await withReserve(cli, usesDiskReserve, open));
  await compareWorkerClock(cli, db);
  noticeLostKey(cli, db);
  cli.openedToWrite = { db, since: readLogHead(db).seq };
  return db;
}

/**
 * Ends a verb that wrote. What it removed is listed in `removed.ndjson`, even when it ended half-way; after a success, and
 * where no worker does it, it is erased from all files.
 * @returns the verb's failure, which for a full disk says what may be deleted
 */
export async function finishWrite(cli: Cli, failure?: unknown): Promise<unknown> {
  if (!cli.openedToWrite) return failure;
  const { db, since } = cli.openedToWrite;
  try {
    await withReserve(cli, true, () => updateRemovedFile(db));
  } catch (error) {
    noticeLater(cli, `${removedPath(db.path)} cannot be written`, error);
  }
  try {
    if (failure === undefined && !(await withReserve(cli, true, () => eraseWithoutWorker(db, since)))) {
      freeReserveOnFullDisk(cli);
      const rest = 'the worker erases it from the files on the disk within ten minutes';
      printNotice(cli, `gone from API and pages; ${rest}`);
    }
  } catch (error) {
    noticeLater(cli, 'gone from API and pages, but not from all files yet', error);
  }
  return isDiskFull(failure)
    ? new Error(`${describeFullDisk(db, failure)}; ${describeDeletable(db.path)}`)
    : failure;
}

/**
 * A verb stores the time. Under a wrong clock its entry would lead the list for years, or its change would be the oldest.
 * @throws {BadInputError} when the clock differs from that of a worker that lives, without `--yes`
 */
async function compareWorkerClock(cli: Cli, db: Database): Promise<void> {
  const now = Date.now();
  const written = db.first(sqlBuilder.selectFrom('status_write_probe').select('at'))?.at ?? now;
  if (Math.abs(now - written) <= OFF_MAX_MS) return;
  const [says, wrote] = [now, written].map((at) => new Date(at).toISOString());
  const what = `the clock says ${says}, and the worker last wrote at ${wrote} by its clock`;
  if (!isWorkerActing(db.path)) printNotice(cli, `${what}; is the clock right?`);
  else await askToGoOn(cli, what, 'set the clock that is wrong, or say --yes');
}

export function noticeLostKey(cli: Cli, db: Database): void {
  if (lacksRemovedKey(db)) printNotice(cli, `${describeLostKey(db.path)}; "czujka doctor" says what to do`);
}

/** The change of the verb stays, even when what follows it fails. */
function noticeLater(cli: Cli, problem: string, error: unknown): void {
  printNotice(cli, `${problem} (${(error as Error).message}); the worker tries again`);
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
