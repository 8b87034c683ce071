import type { Database } from '../db/database.ts';

/** Everything that a poll of the chain needs, whichever source it asks. */
export interface PollContext {
  readonly db: Database;
  /** One transaction; refuses when this process may not write any more. */
  readonly write: <T>(change: () => T) => T;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}
