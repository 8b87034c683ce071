/**
 * Keeps the change log short. Only updates go that a later change of the same entry has made worthless; the first and
 * the last of an entry and every removal stay. So a follower that reads the current state of what has changed misses
 * nothing, however far behind it is.
 */
import { setImmediate } from 'node:timers/promises';
import { build } from '../db/database.ts';
import type { Database } from '../db/database.ts';

/** Every change stays this long. */
export const LOG_DAYS = 90;
const DAY_MS = 86_400_000;
/** Changes looked at in one transaction; others wait for the lock meanwhile. */
const STEP = 5_000;

export interface PruneOptions {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Runs each step's write. */
  readonly write: (change: () => number) => number;
  readonly signal: AbortSignal;
}

/** @returns how many changes were removed */
export async function pruneChanges(db: Database, { now, write, signal }: PruneOptions): Promise<number> {
  const before = now - LOG_DAYS * DAY_MS;
  const newest = db.first(
    build
      .selectFrom('changes')
      .select(({ fn }) => fn.max('seq').as('seq'))
      .where('at', '<', before),
  )?.seq;
  let removed = 0;
  for (let from = 0; from < (newest ?? 0); from += STEP) {
    signal.throwIfAborted();
    removed += write(() => db.run(deleteSuperseded(from, from + STEP, before)).changes);
    await setImmediate();
  }
  return removed;
}

function deleteSuperseded(from: number, to: number, before: number) {
  return build
    .deleteFrom('changes')
    .where('seq', '>', from)
    .where('seq', '<=', to)
    .where('at', '<', before)
    .where('op', '=', 'updated')
    .where((outer) =>
      outer.exists(
        outer
          .selectFrom('changes as later')
          .select('later.seq')
          .whereRef('later.entry_id', '=', 'changes.entry_id')
          .whereRef('later.seq', '>', 'changes.seq'),
      ),
    );
}
