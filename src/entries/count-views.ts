/**
 * Counts who looks at entries, for the sort orders `popular` (SPEC 4.1): opening a proofs page or a list page for one ID
 * counts once an entry, visitor and hour. Runs in the web process, which never writes the database: counts are held in
 * memory and left as batches beside the database, which the worker books (apply-view-counts.ts). A crash loses one batch.
 */
import { hash, randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../db/database.ts';
import { LIST_KINDS } from './entry.ts';
import { parseListQuery } from './list-query.ts';
import { IS_PUBLIC } from './published.ts';

export interface EntryView {
  readonly path: string;
  readonly query: string;
  readonly address: string;
}

export interface ViewCounter {
  /** Does nothing for pages of no single public entry. Never throws. */
  readonly count: (view: EntryView) => void;
  /** Writes what was counted since the last time. */
  flush(): void;
  close(): void;
}

export interface ViewCounterOptions {
  /** Where batches are left. */
  readonly folder: string;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly onFailure: (error: unknown) => void;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FLUSH_MS = 5_000;
/** Visits remembered; of more in an hour, the oldest may count again. */
const VISITS_MAX = 100_000;
/** Entries of one batch; there are never more in it than visits of FLUSH_MS, unless the disk is full. */
const ENTRIES_MAX = 20_000;
const SALT_BYTES = 32;

const PROOFS_PAGE = /^\/proofs\/([0-9a-f]{32})$/;

/** Batches are left in this folder beside the database. */
export function viewsFolder(dataFolder: string): string {
  return join(dataFolder, 'views');
}

export function createViewCounter(db: Database, { folder, now, onFailure }: ViewCounterOptions): ViewCounter {
  let salt = randomBytes(SALT_BYTES).toString('hex');
  let saltedAt = now();
  /** When a visit last counted, the oldest first. Keys are hashes: nobody's address is kept. */
  const visits = new Map<string, number>();
  let counts = new Map<string, number>();

  const isNew = (address: string, entryId: string): boolean => {
    const at = now();
    if (at - saltedAt >= DAY_MS) {
      salt = randomBytes(SALT_BYTES).toString('hex');
      saltedAt = at;
    }
    const visit = hash('sha256', `${salt} ${address} ${entryId}`, 'base64url').slice(0, 16);
    const last = visits.get(visit);
    if (last !== undefined && at - last < HOUR_MS) return false;
    visits.delete(visit);
    visits.set(visit, at);
    for (const [oldest, since] of visits) {
      if (visits.size <= VISITS_MAX && at - since < HOUR_MS) break;
      visits.delete(oldest);
    }
    return true;
  };

  const flush = (): void => {
    if (counts.size === 0) return;
    const batch = counts;
    counts = new Map();
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, `${Date.now()}-${randomBytes(6).toString('hex')}`);
      writeFileSync(`${path}.part`, JSON.stringify(Object.fromEntries(batch)), { mode: 0o600 });
      renameSync(`${path}.part`, `${path}.json`);
    } catch (error) {
      // Kept for the next time, within the bound.
      for (const [entryId, count] of batch) {
        if (counts.size < ENTRIES_MAX) counts.set(entryId, (counts.get(entryId) ?? 0) + count);
      }
      onFailure(error);
    }
  };

  const timer = setInterval(flush, FLUSH_MS).unref();
  return {
    count({ path, query, address }) {
      try {
        const entryId = findEntryId(db, path, query);
        if (entryId === undefined || (counts.size >= ENTRIES_MAX && !counts.has(entryId))) return;
        if (isNew(address, entryId)) counts.set(entryId, (counts.get(entryId) ?? 0) + 1);
      } catch (error) {
        onFailure(error);
      }
    },
    flush,
    close() {
      clearInterval(timer);
      flush();
    },
  };
}

/** The public entry that a page is about. */
function findEntryId(db: Database, path: string, query: string): string | undefined {
  const proofsId = PROOFS_PAGE.exec(path)?.[1];
  if (proofsId !== undefined) {
    return db
      .statement<{ entry_id: string }>(
        `SELECT entry_id FROM entries WHERE proofs_id = ? AND proofs = 'public' AND ${IS_PUBLIC}`,
      )
      .get(proofsId)?.entry_id;
  }
  const list = LIST_KINDS.find((kind) => path === `/${kind}`);
  if (list === undefined || !query.includes('id=')) return undefined;
  const { id } = parseListQuery(new URLSearchParams(query)).query;
  if (id === undefined) return undefined;
  return db
    .statement<{ entry_id: string }>(
      `SELECT entry_id FROM entries WHERE chat_id = ? AND list = ? AND ${IS_PUBLIC}`,
    )
    .get(id, list)?.entry_id;
}
