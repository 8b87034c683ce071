/** Moves everything from the WAL into the database file and empties it, unless somebody reads what is in it. */
import { statSync } from 'node:fs';
import type { Database } from './database.ts';

/**
 * While it waits for readers it holds the write lock; and a reader may be one of this very thread, or wait for that
 * lock before it ends.
 */
const WAIT_MS = 50;

export interface TruncatedWal {
  /** Readers or a writer did not let it. */
  readonly isBusy: boolean;
  readonly pagesLeft: number;
}

export function truncateWal(db: Database): TruncatedWal {
  const { connection } = db;
  const usual = connection.pragma('busy_timeout', { simple: true }) as number;
  connection.pragma(`busy_timeout = ${WAIT_MS}`);
  try {
    const [outcome] = connection.pragma('wal_checkpoint(TRUNCATE)') as { busy: number; log: number }[];
    return { isBusy: outcome?.busy !== 0, pagesLeft: outcome?.log ?? 0 };
  } finally {
    connection.pragma(`busy_timeout = ${usual}`);
  }
}

/** From here on readers are slowed down by it, and it takes the room that others need. */
const WAL_MAX_BYTES = 64 * 1024 * 1024;

/** @returns what to tell the operator about a log that grows because something reads all the time; undefined: it is short */
export function describeLongWal(path: string): string | undefined {
  const { size } = statSync(`${path}-wal`, { throwIfNoEntry: false }) ?? { size: 0 };
  if (size <= WAL_MAX_BYTES) return undefined;
  return `${path}-wal has grown to ${Math.round(size / 1_000_000)} MB, because something reads the database without a pause`;
}

/** @throws when it could not be emptied and has become long */
export function keepWalShort(db: Database): TruncatedWal {
  const outcome = truncateWal(db);
  const trouble = outcome.isBusy ? describeLongWal(db.path) : undefined;
  if (trouble !== undefined) throw new Error(`${trouble}: end it (fuser -v names who has the file open)`);
  return outcome;
}
