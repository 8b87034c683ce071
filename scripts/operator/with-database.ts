/** The operator's database for as long as a verb works with it. */
import { appendRemovals, removedPath } from '#src/changes/removed-file.ts';
import type { Config } from '#src/config.ts';
import type { Database } from '#src/db/database.ts';
import { isDiskFull } from '#src/db/disk-room.ts';
import { ListChangedError } from '#src/entries/write-staged-entries.ts';
import { describeFullDisk } from './full-disk.ts';
import { openOperatorDatabase } from './operator-database.ts';

/** Runs with the operator's database, made where there is none, and closes it, however the work ends. */
export function withDatabase<T>(config: Config, work: (db: Database) => T | Promise<T>): Promise<T> {
  return runWith(config, work, false);
}

/**
 * For verbs that have nothing to do in an empty database: they create none.
 * @throws when there is no database
 */
export function withPresentDatabase<T>(config: Config, work: (db: Database) => T | Promise<T>): Promise<T> {
  return runWith(config, work, true);
}

async function runWith<T>(
  config: Config,
  work: (db: Database) => T | Promise<T>,
  mustExist: boolean,
): Promise<T> {
  const db = await openOperatorDatabase(config.databasePath, { mustExist });
  try {
    const result = await work(db);
    tellRemovals(db);
    return result;
  } catch (error) {
    if (error instanceof ListChangedError) throw new Error(`${error.message}; run the command again`);
    if (isDiskFull(error)) throw new Error(describeFullDisk(db, error));
    throw error;
  } finally {
    db.close();
  }
}

/** What a verb has removed stands in `removed.ndjson` when it ends; the worker follows too. */
function tellRemovals(db: Database): void {
  try {
    appendRemovals(db);
  } catch (error) {
    process.stderr.write(
      `note: ${removedPath(db.path)} cannot be written (${(error as Error).message}); the worker tries again\n`,
    );
  }
}
