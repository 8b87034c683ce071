import type { Database } from './database.ts';
import { fileBytes } from './disk-room.ts';

/** Short, because it holds the write lock meanwhile, and the reader may wait for that lock. */
const WAIT_MS = 50;

/** @returns false when a reader or writer prevented it */
export function truncateWal(db: Database): boolean {
  const { connection } = db;
  const usual = connection.pragma('busy_timeout', { simple: true }) as number;
  connection.pragma(`busy_timeout = ${WAIT_MS}`);
  try {
    const [outcome] = connection.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
    return outcome?.busy === 0;
  } finally {
    connection.pragma(`busy_timeout = ${usual}`);
  }
}

/** A longer WAL slows readers down and fills the disk. */
const WAL_MAX_BYTES = 64 * 1024 * 1024;

export function describeLongWal(path: string): string | undefined {
  const size = fileBytes(`${path}-wal`);
  if (size <= WAL_MAX_BYTES) return undefined;
  return `${path}-wal has grown to ${Math.round(size / 1_000_000)} MB, because something reads the database without a pause`;
}

export function limitWalSize(db: Database): void {
  const trouble = truncateWal(db) ? undefined : describeLongWal(db.path);
  if (trouble !== undefined) throw new Error(`${trouble}: end it (fuser -v names who has the file open)`);
}
