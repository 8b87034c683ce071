/** A lock between processes. The operating system releases it when its process ends, however it ends. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { besideDatabase } from '../data-files.ts';

/** Keeps connections from the garbage collector, which would close them. */
const connections = new Set<Sqlite.Database>();

/** Taken by the worker, or by a verb that erases without one. A second handle of a process, closed, would release it. */
export function workerLock(databasePath: string): string {
  return besideDatabase(databasePath, 'worker.lock');
}

/** @returns releases the lock; undefined when another process has it */
export function lockForProcess(file: string, waitMs = 0): (() => void) | undefined {
  mkdirSync(dirname(file), { recursive: true });
  const connection = new Sqlite(file, { timeout: waitMs });
  try {
    connection.exec('BEGIN EXCLUSIVE');
    connections.add(connection);
    return () => {
      connection.close();
      connections.delete(connection);
    };
  } catch (error) {
    connection.close();
    if (error instanceof Sqlite.SqliteError && error.code === 'SQLITE_BUSY') return undefined;
    throw error;
  }
}

/** No other process holds the worker's lock for longer than this look. */
export function isWorkerActing(databasePath: string): boolean {
  return isLocked(workerLock(databasePath));
}

export function isLocked(file: string): boolean {
  const release = existsSync(file) ? lockForProcess(file) : () => {};
  release?.();
  return release === undefined;
}
