import type { Database, Transaction } from '../db/database.ts';

export interface PollContext {
  readonly db: Database;
  /** Runs one transaction; refuses when this process may no longer write. */
  readonly write: <T>(change: (tx: Transaction) => T) => T;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}
