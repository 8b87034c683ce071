import { build, compileOnce, given } from '../db/database.ts';
import type { Database } from '../db/database.ts';

/**
 * How many changes were made from a moment on, without counting them: numbers of changes have no gaps as long as nothing
 * is pruned (prune-changes.ts), and times grow with them, so that the first one is found by halving.
 * @param since epoch milliseconds, less than 90 days ago
 */
export function countChangesSince(db: Database, since: number): number {
  const newest = findChange(db, Number.MAX_SAFE_INTEGER)?.seq ?? 0;
  let before = 0;
  let last = newest;
  while (before < last) {
    const middle = Math.ceil((before + last) / 2);
    const found = findChange(db, middle);
    if (found === undefined || found.at < since) before = middle;
    else last = found.seq - 1;
  }
  return newest - before;
}

function findChange(db: Database, upTo: number): { readonly seq: number; readonly at: number } | undefined {
  return db.first(LAST_UP_TO, { upTo });
}

const LAST_UP_TO = compileOnce(
  build
    .selectFrom('changes')
    .select(['seq', 'at'])
    .where('seq', '<=', given('upTo'))
    .orderBy('seq', 'desc')
    .limit(1),
);
