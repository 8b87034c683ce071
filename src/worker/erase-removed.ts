/** The operator's commands erase at once; the worker repeats it in case a command was killed. */
import { setTimeout } from 'node:timers/promises';
import { listRemovals } from '../changes/removals.ts';
import { forgetReplaced } from '../changes/undo-file.ts';
import { build, identifyFile, type Database } from '../db/database.ts';
import { fileBytes } from '../db/disk-room.ts';
import { removeCopies } from '../db/migration-copy.ts';
import { findProperty, setProperty } from '../db/properties.ts';
import { truncateWal } from '../db/truncate-wal.ts';
import { eraseFromSnapshots } from '../entries/snapshots/chunk-files.ts';
import { createIndexUpdater } from '../lists/update-list-indexes.ts';
import { createSearchUpdater } from '../search/update-search-file.ts';
import { searchPath } from '../search/search-file.ts';
import { sweepProofFiles } from '../proofs/proof-files.ts';

export interface Erasure {
  readonly db: Database;
  readonly dataFolder: string;
  readonly removed: readonly { readonly list: string; readonly entry_id: string }[];
}

/** Idempotent, because it runs again when another eraser failed. */
type Eraser = (erasure: Erasure) => void | Promise<void>;

const WAL_TRIES = 50;
const WAL_PAUSE_MS = 200;

/** The database's WAL comes last. */
const ERASERS: Readonly<Record<string, Eraser>> = {
  'proof files': ({ db, dataFolder }) => void sweepProofFiles(db, dataFolder),
  'what imports replaced': ({ db, removed }) =>
    forgetReplaced(
      db.path,
      removed.map(({ entry_id }) => entry_id),
    ),
  'copies from before a migration': ({ db }) => removeCopies(db.path),
  // Redacted entries, and entries that came back, are left to the follower, which knows what is published now.
  snapshots: async ({ db, removed }) => {
    const find = (entry_id: string) =>
      db.first(build.selectFrom('entries').select('row').where('entry_id', '=', entry_id));
    const gone = removed.filter(({ entry_id }) => !find(entry_id));
    await eraseFromSnapshots(db.path, gone);
  },
  'list indexes': async ({ db }) => void (await createIndexUpdater(db).follow()),
  'full text': async ({ db }) => {
    if (identifyFile(searchPath(db.path)) === undefined) return;
    using updater = createSearchUpdater(db);
    await updater.follow();
    if (fileBytes(`${searchPath(db.path)}-wal`) > 0)
      throw new Error('something reads search.db without a pause');
  },
  'log of the database': async ({ db }) => {
    for (let left = WAL_TRIES; !truncateWal(db); left -= 1) {
      if (left === 0) throw new Error('something reads the database without a pause');
      await setTimeout(WAL_PAUSE_MS);
    }
  },
};

const PROGRESS_PROPERTY = 'erased_removal';

/**
 * @param removedByUndo entries that an undo of an import took away: a later call does not erase them again
 * @throws when an eraser failed; the next call tries again
 */
export async function eraseRemoved(
  db: Database,
  dataFolder: string,
  removedByUndo: Erasure['removed'] = [],
): Promise<number> {
  const since = Number(findProperty(db, PROGRESS_PROPERTY) ?? 0);
  const removals = listRemovals(db, since).filter(({ what }) => what !== 'returned');
  const removed = [...new Map([...removals, ...removedByUndo].map((one) => [one.entry_id, one])).values()];
  if (removed.length === 0) return 0;
  const failures: Error[] = [];
  for (const [name, erase] of Object.entries(ERASERS)) {
    try {
      await erase({ db, dataFolder, removed });
    } catch (error) {
      failures.push(new Error(`${name}: ${(error as Error).message}`, { cause: error }));
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('; '));
  setProperty(db, PROGRESS_PROPERTY, removals.at(-1)?.removal ?? since);
  return removed.length;
}
