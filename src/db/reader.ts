/**
 * The web process's database handle. While the file cannot be read, requests fail one by one; the first request after
 * it is back opens it again.
 */
import { existsSync } from 'node:fs';
import { openDatabase, type Database } from './database.ts';
import { missingProblem, readSchemaState, schemaProblem } from './migrate.ts';

/** SQLite's maximum. */
const MAPPED_BYTES = 0x7fff0000;
const RETRY_MS = 1_000;

/** An operator has to act. */
export class SchemaError extends Error {
  override name = 'SchemaError';
}

/** @param onFailure receives the error when the file cannot be opened @throws {SchemaError} at the start only */
export function openReader(path: string, onFailure: (error: unknown) => void): Database {
  let current: Database | undefined;
  let failure: { error: unknown; at: number } | undefined;

  const open = (): Database => {
    if (current) return current;
    if (failure && performance.now() - failure.at < RETRY_MS) throw failure.error;
    try {
      current = openCurrent(path);
      failure = undefined;
      return current;
    } catch (error) {
      failure = { error, at: performance.now() };
      onFailure(error);
      throw error;
    }
  };

  try {
    open();
  } catch (error) {
    if (error instanceof SchemaError) throw error;
  }
  return {
    path,
    get connection() {
      return open().connection;
    },
    all: (query, values) => open().all(query, values),
    first: (query, values) => open().first(query, values),
    run: (query, values) => open().run(query, values),
    statement: (source) => open().statement(source),
    snapshot: (read) => open().snapshot(read),
    write: (change) => open().write(change),
    assertInPlace: () => open().assertInPlace(),
    close: () => current?.close(),
    [Symbol.dispose]: () => current?.close(),
  };
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
