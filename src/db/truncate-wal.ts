/** Moves everything from the WAL into the database file and empties it, unless somebody reads what is in it. */
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
