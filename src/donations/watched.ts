/** When the chain was last looked at for a donation, and so what its page may promise. */
import { build, compileOnce, given } from '../db/database.ts';
import type { Database } from '../db/database.ts';
import { findProperty, setProperty } from '../db/properties.ts';

/** How a donation is looked after: by somebody; by nobody since then (epoch milliseconds); by nobody at all. */
export type Watched = 'yes' | { readonly since: number } | 'never';

/** While no donation is open, the node is asked this often: late payments are seen, and no backlog grows. */
export const IDLE_POLL_MS = 5 * 60_000;
/** A missed poll or two are made good by the next one; a longer silence is worth a word to the donor. */
const SILENCE_MS = 60_000;
const LOOKED_PROPERTY = 'litecoin.watched_at';

const LOOK = compileOnce(
  build
    .selectFrom('donations')
    .select(['status', 'settled', 'asked_at', 'created_at', 'revision', 'expires_at'])
    .where('id', '=', given('id')),
);

/** Inside a transaction of the caller's. @param at when the node was asked, epoch milliseconds */
export function recordLook(db: Database, at: number): void {
  setProperty(db, LOOKED_PROPERTY, at);
}

/** When the node last told of all donations, epoch milliseconds; undefined when it never has. */
export function findLook(db: Database): number | undefined {
  const at = findProperty(db, LOOKED_PROPERTY);
  return at === undefined ? undefined : Number(at);
}

/**
 * @param hasSource whether the settings name a node or an explorer
 * @returns `yes` also for a donation that needs nothing of the chain any more, and for one that does not exist
 */
export function findWatched(db: Database, id: string, hasSource: boolean, now: number): Watched {
  const row = db.first(LOOK, { id });
  if (!row || row.status === 'forwarded' || row.status === 'failed') return 'yes';
  if (!hasSource) return 'never';
  // A new donation has not been waiting for long.
  const since = Math.max(findLook(db) ?? 0, row.asked_at, row.created_at);
  const allowedMs = row.settled === 1 ? IDLE_POLL_MS + SILENCE_MS : SILENCE_MS;
  return now - since > allowedMs ? { since } : 'yes';
}

/**
 * Differs as soon as the page of a donation has something else to say: of the donation, of the time that is over, or of
 * who looks after it. Undefined when there is no such donation.
 */
export function findPageVersion(
  db: Database,
  id: string,
  hasSource: boolean,
  now: number,
): string | undefined {
  const row = db.first(LOOK, { id });
  if (!row) return undefined;
  const watched = findWatched(db, id, hasSource, now);
  return [
    row.revision,
    now < row.expires_at ? 'open' : 'over',
    typeof watched === 'string' ? watched : watched.since,
  ].join('-');
}
