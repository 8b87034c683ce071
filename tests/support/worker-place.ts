/** A database over which several workers run (worker-process.ts). */
import { join } from 'node:path';
import { openDatabase } from '#src/db/database.ts';
import type { RunningProcess } from './run-process.ts';
import { startProcess } from './start-process.ts';
import { makeDatabase, makeFolder } from './temporary-database.ts';

const FIXTURE = join(import.meta.dirname, 'worker-process.ts');
export const ACTING = 'acting: the lock is ours';
export const STANDING_BY = 'standing by: another process has the lock';

export interface WorkerPlace {
  readonly path: string;
  readonly cwd: string;
  start(): RunningProcess;
  /** Processes that ran the job, in order. */
  runs(job: string): number[];
}

export async function makeWorkerPlace(): Promise<WorkerPlace> {
  const cwd = makeFolder();
  const db = await makeDatabase(cwd);
  db.connection.exec('CREATE TABLE runs (pid INTEGER, job TEXT)');
  const { path } = db;
  db.close();
  return {
    path,
    cwd,
    start: () => startProcess(FIXTURE, { cwd, args: [path], settings: {} }),
    runs(job) {
      using handle = openDatabase(path, 'read');
      return handle.statement<number>('SELECT pid FROM runs WHERE job = ? ORDER BY rowid').pluck().all(job);
    },
  };
}
