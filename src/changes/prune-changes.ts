/** Deletes superseded updates. The first and last change of an entry and every removal stay. */
import { setImmediate } from 'node:timers/promises';
import { build, type Database } from '../db/database.ts';

export const LOG_DAYS = 90;
const DAY_MS = 86_400_000;
const STEP = 5_000;

export async function pruneChanges(
  db: Database,
  write: (change: () => number) => number,
  signal: AbortSignal,
  now: number,
): Promise<number> {
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
    const superseded = build
      .deleteFrom('changes')
      .where('seq', '>', from)
      .where('seq', '<=', from + STEP)
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
    removed += write(() => db.run(superseded).changes);
    await setImmediate();
  }
  return removed;
}
