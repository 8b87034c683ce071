/** While the file cannot be read, requests fail; the first one after it is back opens it again. */
import { existsSync } from 'node:fs';
import { Database, openDatabase } from './database.ts';
import { missingProblem, readSchemaState, schemaProblem } from './migrate.ts';

/** SQLite's maximum for mmap_size. */
export const MAPPED_BYTES = 0x7fff0000;
const RETRY_MS = 1_000;

export class SchemaError extends Error {
  override name = 'SchemaError';
}

/** @param onFailure receives the error when the file cannot be opened @throws {SchemaError} at the start only */
export function openReader(path: string, onFailure: (error: unknown) => void): Database {
  let failure: { error: unknown; at: number } | undefined;
  const reader = new Database(path, () => {
    if (failure && performance.now() - failure.at < RETRY_MS) throw failure.error;
    try {
      return openCurrent(path).connection;
    } catch (error) {
      failure = { error, at: performance.now() };
      onFailure(error);
      throw error;
    }
  });
  try {
    void reader.connection;
  } catch (error) {
    if (error instanceof SchemaError) throw error;
  }
  return reader;
}

function openCurrent(path: string): Database {
  if (!existsSync(path)) throw new SchemaError(missingProblem(path));
  const database = openDatabase(path, 'read');
  // Halves the time to read a page of a list, and mapped pages are not memory of the process.
  database.connection.pragma(`mmap_size = ${MAPPED_BYTES}`);
  try {
    const state = readSchemaState(database);
    if (state !== 'current') throw new SchemaError(schemaProblem(path, state, database));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
