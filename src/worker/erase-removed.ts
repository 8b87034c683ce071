/**
 * Erases everything that was made of withdrawn texts, which are deleted from the rows of the entry by then. This is the one
 * place that knows every store that may contain something of an entry. The operator's `entry remove` and `entry edit
 * --redact` call it at once; the worker follows the change log, should the command have been ended half-way.
 */
import { statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { listRemovals } from '../changes/removals.ts';
import { forgetReplaced } from '../changes/undo-file.ts';
import { build } from '../db/database.ts';
import type { Database } from '../db/database.ts';
import { removeCopies } from '../db/migration-copy.ts';
import { findProperty, setProperty } from '../db/properties.ts';
import { truncateWal } from '../db/truncate-wal.ts';
import { eraseFromSnapshots } from '../entries/snapshots/chunk-files.ts';
import { createIndexUpdater } from '../lists/update-list-indexes.ts';
import { createSearchUpdater } from '../search/update-search-file.ts';
import { identifyFile, searchPath } from '../search/search-file.ts';
import { sweepProofFiles } from '../proofs/proof-files.ts';

export interface Erasure {
  readonly db: Database;
  /** Folder of the database, with the files beside it. */
  readonly dataFolder: string;
  /** Numbers of the rows in `entries` are not known any more; the public names are what tombstones keep too. */
  readonly removed: readonly { readonly list: string; readonly entryId: string }[];
}

interface Eraser {
  readonly name: string;
  /** Idempotent: it runs again when another one failed. */
  readonly erase: (erasure: Erasure) => void | Promise<void>;
}

/** A reader lets go of the log within seconds. */
const WAL_TRIES = 50;
const WAL_PAUSE_MS = 200;

/** Every store of its own adds its function here. The database file itself comes last. */
const ERASERS: readonly Eraser[] = [
  {
    name: 'proof files',
    erase: ({ db, dataFolder }) => {
      sweepProofFiles(db, dataFolder);
    },
  },
  {
    name: 'what imports replaced',
    erase: ({ db, removed }) => {
      forgetReplaced(
        db.path,
        removed.map(({ entryId }) => entryId),
      );
    },
  },
  { name: 'copies from before a migration', erase: ({ db }) => removeCopies(db.path) },
  {
    // One that was redacted, or has come back since, is erased by the follower, which knows what is published now.
    name: 'snapshots',
    erase: async ({ db, removed }) => {
      const find = (entryId: string) =>
        db.first(build.selectFrom('entries').select('row').where('entry_id', '=', entryId));
      await eraseFromSnapshots(
        db.path,
        removed.filter(({ entryId }) => !find(entryId)),
      );
    },
  },
  {
    name: 'list indexes',
    erase: async ({ db }) => void (await createIndexUpdater(db).follow()),
  },
  {
    name: 'full text',
    erase: async ({ db }) => {
      if (identifyFile(searchPath(db.path)) === undefined) return;
      const updater = createSearchUpdater(db);
      try {
        await updater.follow();
        const log = statSync(`${searchPath(db.path)}-wal`, { throwIfNoEntry: false });
        if (log && log.size > 0) throw new Error('something reads search.db without a pause');
      } finally {
        updater.close();
      }
    },
  },
  {
    // The nightly VACUUM (vacuum-work.ts) removes remains between the rows of the file.
    name: 'log of the database',
    erase: async ({ db }) => {
      for (let left = WAL_TRIES; truncateWal(db).isBusy; left -= 1) {
        if (left === 0) throw new Error('something reads the database without a pause');
        await setTimeout(WAL_PAUSE_MS);
      }
    },
  },
];

/** Number of the newest removal that is erased everywhere. */
const PROGRESS_PROPERTY = 'erased_removal';

/**
 * Erases what is left of all that was withdrawn since the last time; nothing to do costs one look.
 * @returns how many entries had something withdrawn since
 * @throws when something could not be erased; the next call tries again
 */
export async function eraseRemoved(db: Database, dataFolder: string): Promise<number> {
  const since = Number(findProperty(db, PROGRESS_PROPERTY) ?? 0);
  const removals = listRemovals(db, since).filter(({ what }) => what !== 'returned');
  const removed = [...new Map(removals.map((removal) => [removal.entryId, removal])).values()];
  if (removed.length === 0) return 0;
  const failures: Error[] = [];
  for (const { name, erase } of ERASERS) {
    try {
      await erase({ db, dataFolder, removed });
    } catch (error) {
      // The others must not wait for it.
      failures.push(new Error(`${name}: ${(error as Error).message}`, { cause: error }));
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('; '));
  setProperty(db, PROGRESS_PROPERTY, removals.at(-1)?.removal ?? since);
  return removed.length;
}
