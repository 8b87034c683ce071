/** The operator's database for as long as a verb works with it. */
import { appendRemovals, removedPath } from '#src/changes/removed-file.ts';
import type { Database } from '#src/db/database.ts';
import { lockForProcess } from '#src/db/process-lock.ts';
import { vacuumLock } from '#src/db/temporary-folder.ts';
import { isDiskFull } from '#src/db/disk-room.ts';
import { EntryChangedError } from '#src/entries/write-staged-entries.ts';
import { note, type Cli } from './cli.ts';
import { describeFullDisk } from './full-disk.ts';
import { BUSY_TIMEOUT_MS, openFirstDatabase, openOperatorDatabase } from './operator-database.ts';

/** The worker's and most other writes are shorter. */
const SHORT_WRITE_MS = 500;

/**
 * Runs with the operator's database and closes it. An empty folder gets a new database.
 * @param open `openOperatorDatabase` makes a database also beside the folders of an earlier one
 */
export async function withDatabase<T>(
  cli: Cli,
  work: (db: Database) => T | Promise<T>,
  open: (path: string) => Promise<Database> = openFirstDatabase,
): Promise<T> {
  const db = await open(cli.config.databasePath);
  try {
    announceWait(cli, db);
    const result = await work(db);
    writeRemovedFile(cli, db);
    return result;
  } catch (error) {
    if (error instanceof EntryChangedError) throw new Error(`${error.message}; run the command again`);
    if (isDiskFull(error)) throw new Error(describeFullDisk(db, error));
    throw error;
  } finally {
    db.close();
  }
}

/** @throws when there is no database */
export function withPresentDatabase<T>(cli: Cli, work: (db: Database) => T | Promise<T>): Promise<T> {
  return withDatabase(cli, work, (path) => openOperatorDatabase(path, { mustExist: true }));
}

/** For verbs that only read: nothing beside a missing migration is written. @throws when there is no database */
export async function readDatabase<T>({ config }: Cli, work: (db: Database) => T | Promise<T>): Promise<T> {
  using db = await openOperatorDatabase(config.databasePath, { mustExist: true });
  return await work(db);
}

/** Says for what the verb will wait when it writes. SQLite waits without a word, and other work of the process with it. */
function announceWait(cli: Cli, db: Database): void {
  const { connection } = db;
  connection.pragma(`busy_timeout = ${SHORT_WRITE_MS}`);
  try {
    db.write(() => {});
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    const release = lockForProcess(vacuumLock(db.path));
    const holder = release ? 'another command' : 'the nightly VACUUM';
    release?.();
    note(cli, `${holder} is writing to ${db.path}; writes wait for it, up to ${BUSY_TIMEOUT_MS / 1_000} s`);
  } finally {
    connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

/** A verb writes its removals to `removed.ndjson` before it ends; the worker does so too. */
function writeRemovedFile(cli: Cli, db: Database): void {
  try {
    appendRemovals(db);
  } catch (error) {
    note(
      cli,
      `${removedPath(db.path)} cannot be written (${(error as Error).message}); the worker tries again`,
    );
  }
}
