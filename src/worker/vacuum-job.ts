/** `secure_delete` left one of 1,200 removed entries, in a row that SQLite had moved: a night's VACUUM takes it. */
import { chmodSync, mkdirSync } from 'node:fs';
import { besideDatabase } from '../data-files.ts';
import type { Database } from '../db/database.ts';
import { assertRoom, fileBytes } from '../db/disk-room.ts';
import { findProperty, setProperty } from '../db/properties.ts';
import { truncateWal } from '../db/truncate-wal.ts';
import { newestEventNumber } from '../removals/removals.ts';
import type { Job } from './job-runner.ts';
import { runTask } from './run-task.ts';
import { HOUR_MS } from '../text/calendar.ts';

/** Room for the copy, the WAL and other writes, in sizes of the database. */
const ROOM = 3;
const PROGRESS_PROPERTY = 'vacuumed_removal';

export const VACUUM_JOB: Job = {
  name: 'vacuum',
  schedule: '0 37 3 * * *',
  isDaily: true,
  lane: 'disk',
  deadlineMs: HOUR_MS,
  run: async ({ db, write, signal }) => {
    if (!isVacuumDue(db)) return {};
    const newest = newestEventNumber(db);
    assertRoom(db, vacuumRoom(db));
    const settings = { SQLITE_TMPDIR: makeTemporaryFolder(db.path) };
    await runTask({ task: 'vacuum', databasePath: db.path }, signal, settings);
    write((tx) => setProperty(tx, PROGRESS_PROPERTY, newest));
    // Until then the file contains the old pages. When a reader prevents it, the job `checkpoint` tries again.
    truncateWal(db);
    return { removal: newest };
  },
};

/** Whether something was removed or redacted since the last VACUUM. */
export function isVacuumDue(db: Database): boolean {
  return Number(findProperty(db, PROGRESS_PROPERTY) ?? 0) !== newestEventNumber(db);
}

export function vacuumRoom(db: Database): number {
  return ROOM * fileBytes(db.path);
}

/** The copy that VACUUM makes contains private texts. */
function makeTemporaryFolder(databasePath: string): string {
  const folder = besideDatabase(databasePath, 'temporary');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  return folder;
}
