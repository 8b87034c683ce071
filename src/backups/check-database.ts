/** A backup runs the checks of `restore` when it is made, so that no restore refuses it later. */
import { openDatabase } from '../db/database.ts';
import { isDiskFull } from '../db/disk-room.ts';
import { findSchemaProblem } from '../db/schema-problem.ts';

/**
 * Compares the schema before any write, because triggers and expressions of a foreign schema must not run.
 * @param file a copy, opened for writing: on a read-only connection SQLite knows no CHECK constraints
 * @returns a sentence with the operator's name of the file; undefined when it is sound
 */
export function findFileProblem(file: string, name: string, takesLater = false): string | undefined {
  try {
    {
      using db = openDatabase(file, 'read');
      const problem = findSchemaProblem(db, name, takesLater);
      if (problem !== undefined) return problem;
    }
    using db = openDatabase(file, 'write', { mustExist: true });
    db.connection.pragma('cell_size_check = ON');
    const outcome = db.connection.pragma('integrity_check', { simple: true });
    if (outcome !== 'ok') return `${name} is damaged: ${String(outcome)}`;
    const [row] = db.connection.pragma('foreign_key_check') as { table: string; rowid: number | null }[];
    return row && `${name} is damaged: row ${row.rowid} of ${row.table} refers to a row that is missing`;
  } catch (error) {
    if (isDiskFull(error)) throw error;
    return `${name} holds no sound database: ${(error as Error).message}`;
  }
}
