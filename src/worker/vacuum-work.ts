/**
 * The nightly VACUUM. `secure_delete` overwrites deleted rows, but not the copies that SQLite leaves when it moves rows
 * between pages of a tree: of 1,200 removed entries one was still in the file.
 */
import { statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { readLogHead } from '../changes/log-head.ts';
import { build } from '../db/database.ts';
import type { Database } from '../db/database.ts';
import { assertRoom } from '../db/disk-room.ts';
import { findProperty, setProperty } from '../db/properties.ts';
import { makeTemporaryFolder } from '../db/temporary-folder.ts';
import { truncateWal } from '../db/truncate-wal.ts';
import type { Job } from './job.ts';
import { oneByOne } from './one-by-one.ts';
import { runTask } from './task-process.ts';
import type { VacuumTask } from './vacuum-process.ts';

const PROCESS = new URL('./vacuum-process.ts', import.meta.url);
const HOUR_MS = 3_600_000;
/** Somewhat less than a day, for schedules are not exact. */
const PAUSE_MS = 20 * HOUR_MS;
/** The copy, the WAL, and what others write meanwhile. */
const ROOM = 3;
/** Until a reader lets the WAL go. */
const RETRY_MS = 500;
/** The newest change that the last one knew of, and when it was: epoch milliseconds. */
const PROPERTY = 'vacuumed';

/** @param inTurn runs long jobs */
export function createVacuumJob(inTurn = oneByOne()): Job {
  return {
    name: 'vacuum',
    schedule: '0 37 3 * * *',
    deadlineMs: HOUR_MS,
    run: async ({ db, write, signal }) => {
      const now = Date.now();
      const { seq } = readLogHead(db);
      const { at } = readLast(db);
      const isTooEarly = now >= at && now - at < PAUSE_MS;
      if (isTooEarly || !isVacuumDue(db)) return undefined;
      // On a full disk nothing could be written: the next night tries again, and `doctor` tells.
      assertRoom(db, vacuumRoom(db));
      const task: VacuumTask = { databasePath: db.path };
      const settings = { SQLITE_TMPDIR: makeTemporaryFolder(db.path) };
      await inTurn(() => runTask(PROCESS, task, signal, settings));
      // Until then the old pages stand in the file.
      while (truncateWal(db).isBusy) await setTimeout(RETRY_MS, undefined, { signal });
      write(() => setProperty(db, PROPERTY, `${seq} ${now}`));
      return { durationMs: Date.now() - now };
    },
  };
}

/** Bytes that have to be free. */
export function vacuumRoom(db: Database): number {
  return ROOM * statSync(db.path).size;
}

/** Whether something was changed or removed since the last one. */
export function isVacuumDue(db: Database): boolean {
  const { seq } = readLogHead(db);
  const { known } = readLast(db);
  const after = known > seq ? 0 : known;
  const other = build.selectFrom('changes').select('seq').where('seq', '>', after).where('op', '!=', 'added');
  return db.first(other.limit(1)) !== undefined;
}

function readLast(db: Database): { readonly known: number; readonly at: number } {
  const [known = 0, at = 0] = (findProperty(db, PROPERTY) ?? '').split(' ').map(Number);
  return { known, at };
}
