/** The database as the operator's commands and the start get it: there, and of this version. */
import { openDatabase } from '#src/db/database.ts';
import type { Database } from '#src/db/database.ts';
import { migrateDatabase } from '#src/db/migrate.ts';
import { describePathProblem } from './outcome.ts';

/** Creates the file where there is none, and migrates it. */
export async function openOperatorDatabase(path: string): Promise<Database> {
  const db = openNamed(path);
  try {
    await migrateDatabase(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** SQLite does not say which file it is speaking of. */
function openNamed(path: string): Database {
  try {
    return openDatabase(path, 'write');
  } catch (error) {
    if (describePathProblem(error) !== undefined) throw error;
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
