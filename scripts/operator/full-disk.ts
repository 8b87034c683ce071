/** The message for an operator whose disk is full. */
import { dirname } from 'node:path';
import type { Database } from '#src/db/database.ts';
import { DiskFullError, readRoom } from '#src/db/disk-room.ts';

/** With more free than this it was not the database that SQLite found no room for. */
const PLENTY_BYTES = 64 * 1024 * 1024;

/** @param error of which isDiskFull is true */
export function describeFullDisk(db: Database, error: unknown): string {
  const { free, reusable } = readRoom(db);
  const isElsewhere = !(error instanceof DiskFullError) && free > PLENTY_BYTES;
  return isElsewhere
    ? `no room on the disk of temporary files (SQLITE_TMPDIR, TMPDIR or /var/tmp)`
    : `no room on the disk of ${dirname(db.path)}: ${free + reusable} bytes are free, ${reusable} of them in the database`;
}
