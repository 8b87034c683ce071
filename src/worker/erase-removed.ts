/**
 * What follows a removal: the entry's row and texts are deleted by then, and what was made of them has to vanish too.
 * This is the one place that knows everything that may hold something of an entry. The operator's `entry remove` calls it
 * at once; the worker follows the `removed` rows of the change log, should the command have been ended half-way.
 */
import { statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { readLogHead } from '../changes/log-head.ts';
import { build } from '../db/database.ts';
import type { Database } from '../db/database.ts';
import { removeCopies } from '../db/migration-copy.ts';
import { findProperty, setProperty } from '../db/properties.ts';
import { truncateWal } from '../db/truncate-wal.ts';
import { eraseFromSnapshots } from '../entries/snapshots/chunk-files.ts';
import { createIndexKeeper } from '../serving/keep-list-indexes.ts';
import { createSearchKeeper } from '../serving/keep-search.ts';
import { identifyFile, searchPath } from '../serving/search-file.ts';
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
  { name: 'copies from before a migration', erase: ({ db }) => removeCopies(db.path) },
  {
    // One that has come back since is the business of the follower, which knows what is published now.
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
    erase: async ({ db }) => void (await createIndexKeeper(db).follow()),
  },
  {
    name: 'full text',
    erase: async ({ db }) => {
      if (identifyFile(searchPath(db.path)) === undefined) return;
      const keeper = createSearchKeeper(db);
      try {
        await keeper.follow();
        const log = statSync(`${searchPath(db.path)}-wal`, { throwIfNoEntry: false });
        if (log && log.size > 0) throw new Error('something reads search.db without a pause');
      } finally {
        keeper.close();
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

/** Number of the newest change whose removals are erased everywhere. */
const PROGRESS_PROPERTY = 'erased_through';

/**
 * Erases what is left of all entries that were removed since the last time; nothing to do costs one look.
 * @returns how many entries were removed since
 * @throws when something could not be erased; the next call tries again
 */
export async function eraseRemoved(db: Database, dataFolder: string): Promise<number> {
  const { seq: through } = readLogHead(db);
  const removed = db.all(
    build
      .selectFrom('changes')
      .select(['list', 'entry_id as entryId'])
      .distinct()
      .where('op', '=', 'removed')
      .where('seq', '>', Number(findProperty(db, PROGRESS_PROPERTY) ?? 0))
      .where('seq', '<=', through),
  );
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
  setProperty(db, PROGRESS_PROPERTY, through);
  return removed.length;
}
