/** A database over which several workers run (worker-process.ts). */
import { join } from 'node:path';
import { openDatabase } from '#src/db/database.ts';
import { startProcess } from './start-process.ts';
import { makeDatabase, makeFolder } from './temporary-database.ts';

const FIXTURE = join(import.meta.dirname, 'worker-process.ts');
export const ACTING = 'acting: the lock is ours';
export const STANDING_BY = 'standing by: another process has the lock';

export async function makeWorkerPlace() {
  const cwd = makeFolder();
  const db = await makeDatabase(cwd);
  db.connection.exec('CREATE TABLE runs (pid INTEGER, job TEXT)');
  const { path } = db;
  db.close();
  return {
    path,
    cwd,
    start: () => startProcess(FIXTURE, { cwd, args: [path], settings: {} }),
    /** Processes that ran the job, in order. */
    runs(job: string): number[] {
      using handle = openDatabase(path, 'read');
      return handle.statement<number>('SELECT pid FROM runs WHERE job = ? ORDER BY rowid').pluck().all(job);
    },
  };
}
