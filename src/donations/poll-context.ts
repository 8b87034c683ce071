import type { Database } from '../db/database.ts';

/** What a look at the chain works with, whichever source is asked. */
export interface PollContext {
  readonly db: Database;
  /** One transaction; refuses when this process may not write any more. */
  readonly write: <T>(change: () => T) => T;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}
