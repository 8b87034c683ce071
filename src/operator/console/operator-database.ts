/** The database as the operator's commands and the start get it: there, and of this version. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openDatabase, type Database } from '../../db/database.ts';
import { migrateDatabase, readSchemaState } from '../../db/migrate.ts';
import { keepCopy } from '../../db/migration-copy.ts';
import { createIndexUpdater } from '../../lists/update-list-indexes.ts';
import { countEntries } from '../../entries/count-entries.ts';
import { describePathProblem } from './outcome.ts';

/** How long a verb waits for others that write. */
const BUSY_TIMEOUT_MS = 60_000;
/** Files beside a database that a new database must not inherit. */
const LEFT_BESIDE = ['search.db', 'snapshots', 'proofs'];

/**
 * Migrates it. with-database.ts chooses the options for each kind of verb.
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
    const applied = migrateDatabase(
      db,
      keepsCopy ? { keepCopy: (migration) => keepCopy(db, migration) } : {},
    );
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
