import type { Database, Transaction } from '../db/database.ts';

export interface PollContext {
  readonly db: Database;
  /** Runs one transaction; refuses when this process may no longer write. */
  readonly write: <T>(change: (tx: Transaction) => T) => T;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** The chain as a poll has read it; all times are epoch milliseconds. */
export interface ChainState {
  /** Height of the newest block. */
  readonly tip: number;
  /** Its time. */
  readonly tipAt: number;
  /** When the source was asked, by this machine's clock. */
  readonly scannedAt: number;
  /** Donations that the source was asked about: all with a node, one at a time with an explorer. */
  readonly asked: 'all' | readonly string[];
  /** Why the source could not be asked about all of them, or not completely. */
  readonly problem?: unknown;
}
