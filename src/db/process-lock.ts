/** One process at a time in a place. The system takes the hold back when the process ends, however it ends. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';

/** A connection that nothing refers to is closed by the garbage collector, and its hold would end. */
const held = new Set<Sqlite.Database>();

/**
 * @param file made beside the place; it stays there, and means nothing by itself
 * @returns ends the hold; undefined when another process has it
 */
export function lockForProcess(file: string): (() => void) | undefined {
  mkdirSync(dirname(file), { recursive: true });
  const connection = new Sqlite(file, { timeout: 0 });
  try {
    connection.exec('BEGIN EXCLUSIVE');
    held.add(connection);
    return () => {
      connection.close();
      held.delete(connection);
    };
  } catch (error) {
    connection.close();
    if (error instanceof Sqlite.SqliteError && error.code === 'SQLITE_BUSY') return undefined;
    throw error;
  }
}
