/** `secure_delete` leaves copies of rows that SQLite moves: of 1,200 removed entries one was still in the file. */
import { setTimeout } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { assertRoom, fileBytes } from '../db/disk-room.ts';
import { makeTemporaryFolder } from '../db/temporary-folder.ts';
import { truncateWal } from '../db/truncate-wal.ts';
import type { Job } from './job.ts';
import { oneByOne } from './one-by-one.ts';
import { runTask } from './run-task.ts';

const HOUR_MS = 3_600_000;
/** Room for the copy, the WAL and other writes, in sizes of the database. */
const ROOM = 3;
const RETRY_MS = 500;

export function createVacuumJob(inTurn = oneByOne()): Job {
  return {
    name: 'vacuum',
    schedule: '0 37 3 * * *',
    deadlineMs: HOUR_MS,
    isDaily: true,
    run: async ({ db, signal }) => {
      const startedAt = Date.now();
      assertRoom(db, vacuumRoom(db));
      const settings = { SQLITE_TMPDIR: makeTemporaryFolder(db.path) };
      await inTurn(() => runTask({ task: 'vacuum', databasePath: db.path }, signal, settings));
      // Until then the file contains the old pages.
      while (!truncateWal(db)) await setTimeout(RETRY_MS, undefined, { signal });
      return { durationMs: Date.now() - startedAt };
    },
  };
}

export function vacuumRoom(db: Database): number {
  return ROOM * fileBytes(db.path);
}
