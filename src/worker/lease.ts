/**
 * Only one worker acts, however many run: who holds the lease. Its times are the machine's monotonic clock, so that a
 * changed wall clock neither ends nor stretches it. The token grows with every take-over; work that writes does so
 * through `write`, which checks the token in its own transaction: a worker that was stopped for a while and wakes up
 * after a take-over can spoil nothing (fencing).
 */
import type { Database } from '../db/database.ts';
import { monotonicMs } from '../db/machine-clock.ts';

const LEASE_NAME = 'worker';

export interface Lease {
  /** Takes the lease if it is free or ended, renews it if it is ours. @returns whether we hold it */
  hold(): boolean;
  /** @throws {LeaseLostError} and writes nothing when another worker holds the lease by now */
  readonly write: <T>(change: () => T) => T;
  /** Leaves it to others at once. */
  release(): void;
}

export class LeaseLostError extends Error {
  override name = 'LeaseLostError';
}

/**
 * @param holder unique to this process
 * @param lastsMs how long it lasts when it is not renewed
 * @param now milliseconds of a clock that all processes of the machine share and that never goes back
 */
export function createLease(
  db: Database,
  holder: string,
  lastsMs: number,
  now: () => number = monotonicMs,
): Lease {
  let token: number | undefined;

  const isMine = (): boolean => {
    const row = db
      .statement<{ holder: string; token: number }>('SELECT * FROM leases WHERE name = ?')
      .get(LEASE_NAME);
    return row !== undefined && row.holder === holder && row.token === token;
  };

  return {
    hold() {
      return db.write(() => {
        const at = now();
        const row = db
          .statement<{ token: number; expires_at_monotonic: number }>('SELECT * FROM leases WHERE name = ?')
          .get(LEASE_NAME);
        const expires = at + lastsMs;
        if (isMine()) {
          db.statement('UPDATE leases SET expires_at_monotonic = ? WHERE name = ?').run(expires, LEASE_NAME);
          return true;
        }
        // One that ends later than any lease can was taken before the machine started anew, when the clock stood higher.
        const free = !row || row.expires_at_monotonic <= at || row.expires_at_monotonic > at + lastsMs;
        if (!free) return false;
        token = (row?.token ?? 0) + 1;
        db.statement(
          `INSERT INTO leases (name, holder, token, expires_at_monotonic) VALUES (@name, @holder, @token, @expires)
           ON CONFLICT (name) DO UPDATE SET holder = @holder, token = @token, expires_at_monotonic = @expires`,
        ).run({ name: LEASE_NAME, holder, token, expires });
        return true;
      });
    },
    write(change) {
      return db.write(() => {
        if (!isMine()) throw new LeaseLostError('another worker has taken over');
        return change();
      });
    },
    release() {
      db.write(() => {
        if (isMine())
          db.statement('UPDATE leases SET expires_at_monotonic = 0 WHERE name = ?').run(LEASE_NAME);
      });
    },
  };
}
