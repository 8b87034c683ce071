/** The worker erases what was removed; where no worker acts, the operator's verb does. */
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { readLogHead } from '../changes/change-log.ts';
import { RETURNED, listRemovalEvents } from './removals.ts';
import { eraseReplaced } from '../changes/undo-file.ts';
import { sqlBuilder, removeDatabaseFile, type Database } from '../db/database.ts';
import { removeCopies } from '../db/migration-copy.ts';
import { lockForProcess, workerLock } from '../db/process-lock.ts';
import { findProperty, setProperty } from '../db/properties.ts';
import { truncateWal } from '../db/truncate-wal.ts';
import { snapshotsFolder } from '../entries/snapshots/manifest.ts';
import { createPrefixPublisher } from '../entries/snapshots/publish-prefixes.ts';
import { publishSnapshots } from '../entries/snapshots/publish-snapshots.ts';
import { findIndexState } from '../lists/list-indexes.ts';
import { createIndexUpdater } from '../lists/update-list-indexes.ts';
import { sweepProofFiles } from '../proofs/proof-files.ts';
import { searchPath } from '../search/search-file.ts';

interface Erasure {
  readonly db: Database;
  /** Entries that are gone, or had texts or proofs withdrawn for good. */
  readonly withdrawnIds: readonly string[];
}

/** Idempotent, because it runs again when another eraser failed. */
type Erasers = Readonly<Record<string, (erasure: Erasure) => void | Promise<unknown>>>;

const WAL_TRIES = 50;
const WAL_PAUSE_MS = 200;
/** A look of `doctor` holds the lock for some microseconds. */
const LOCK_WAIT_MS = 100;

/** In place of the worker's jobs, which do this for what they follow. */
const WITHOUT_WORKER: Erasers = {
  snapshots: async ({ db }) => {
    if (!existsSync(snapshotsFolder(db.path))) return;
    await createPrefixPublisher(db).publish();
    await publishSnapshots(db, new AbortController().signal);
  },
  'list indexes': ({ db }) => createIndexUpdater(db).catchUp(),
  'full text': ({ db }) => {
    for (const end of ['', '.tmp']) removeDatabaseFile(searchPath(db.path) + end);
  },
};

/** The log of the database comes last. */
const ERASERS: Erasers = {
  'what imports replaced': ({ db, withdrawnIds }) => eraseReplaced(db.path, withdrawnIds),
  // After the eraser before it, because the rows of undo.db keep their files.
  'proof files': ({ db }) => void sweepProofFiles(db),
  'copies from before a migration': ({ db }) => removeCopies(db.path),
  'log of the database': async ({ db }) => {
    // Sorted lists hold names.
    const { logId, seq } = readLogHead(db);
    const areListsSorted = (): boolean => {
      const state = findIndexState(db);
      return !state || (state.logId === logId && state.seq >= seq);
    };
    for (let left = WAL_TRIES; !(areListsSorted() && truncateWal(db)); left -= 1) {
      if (left === 0)
        throw new Error(
          areListsSorted() ? 'something reads the database without a pause' : 'the sorted lists are behind',
        );
      await setTimeout(WAL_PAUSE_MS);
    }
  },
};

const PROGRESS_PROPERTY = 'erased_removal';

/** The worker's part: its followers erase the rest. @throws after a failure; the next call tries again */
export async function eraseRemoved(db: Database): Promise<number> {
  const { newest, entryIds, withdrawnIds } = listRemoved(db);
  if (entryIds.length > 0) await erase(ERASERS, { db, withdrawnIds }, newest);
  return entryIds.length;
}

/**
 * Erases what this and earlier verbs removed, if there is no worker to do it, and what a verb removes meanwhile, which
 * finds the lock taken.
 * @param since the newest change before the verb
 * @returns false when another process erases what this verb removed
 */
export async function eraseWithoutWorker(db: Database, since: number): Promise<boolean> {
  for (let from = since; ;) {
    const { seq } = readLogHead(db);
    const { newest, entryIds, withdrawnIds, isNewer } = listRemoved(db, from);
    if (entryIds.length === 0) return true;
    const release = lockForProcess(workerLock(db.path), LOCK_WAIT_MS);
    if (!release) return !isNewer;
    using ends = new DisposableStack();
    ends.defer(release);
    await erase({ ...WITHOUT_WORKER, ...ERASERS }, { db, withdrawnIds }, newest);
    from = seq;
  }
}

/** @param from also those that an undo took away after this change, which are no removals */
function listRemoved(db: Database, from = Number.POSITIVE_INFINITY) {
  const erased = Number(findProperty(db, PROGRESS_PROPERTY) ?? 0);
  const removals = listRemovalEvents(db, erased).filter(({ what }) => what !== RETURNED);
  const changes = sqlBuilder.selectFrom('changes').select('entry_id').where('op', '=', 'removed');
  const removed = db.all(changes.where('seq', '>', from));
  // Proofs that became private are there. An import that hides them would erase what takes it back.
  const withdrawn = removals.filter(({ what }) => what !== 'private');
  const idsOf = (events: readonly { entry_id: string }[]) => [...new Set(events.map((one) => one.entry_id))];
  return {
    newest: removals.at(-1)?.removal ?? erased,
    entryIds: idsOf([...removals, ...removed]),
    withdrawnIds: idsOf([...withdrawn, ...removed]),
    isNewer: removed.length > 0 || removals.some(({ change }) => change > from),
  };
}

/** @param newest the removal up to which all is erased then */
async function erase(erasers: Erasers, erasure: Erasure, newest: number): Promise<void> {
  const failures: Error[] = [];
  for (const [name, eraseFrom] of Object.entries(erasers)) {
    try {
      await eraseFrom(erasure);
    } catch (error) {
      failures.push(new Error(`${name}: ${(error as Error).message}`, { cause: error }));
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('; '));
  erasure.db.write((tx) => setProperty(tx, PROGRESS_PROPERTY, newest));
}
