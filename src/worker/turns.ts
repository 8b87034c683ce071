/** Work over one database handle that must not run twice at the same time. */
import type { Database } from '../db/database.ts';

/** @returns the same work, each call after those before it on the same database */
export function createTurns<Options extends { readonly db: Database }, Outcome>(
  work: (options: Options) => Promise<Outcome>,
): (options: Options) => Promise<Outcome> {
  const working = new WeakMap<Database, Promise<unknown>>();
  return (options) => {
    const before = working.get(options.db) ?? Promise.resolve();
    const turn = before.then(() => work(options));
    working.set(
      options.db,
      turn.catch(() => {}),
    );
    return turn;
  };
}
