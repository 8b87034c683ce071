/** What keeps a serving file there and right: it is chosen or made, follows the change log, and the others go. */
import { existsSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { readLogHead } from '../changes/log-head.ts';
import type { Database } from '../db/database.ts';
import { overwriteFreeSpace } from '../db/overwrite-free-space.ts';
import { BATCH_BYTES } from './batch.ts';
import { followEntries, StaleFileError, startFile } from './follow-entries.ts';
import type { KeptFile } from './follow-entries.ts';
import { followTexts } from './full-text.ts';
import { Orders } from './orders.ts';
import {
  copyServingFile,
  findState,
  identifyFile,
  isDamage,
  isFull,
  isMarkedDamaged,
  listServingFiles,
  markDamaged,
  openToRead,
  openToWrite,
  removeServingFile,
  removeStrays,
} from './serving-file.ts';

/** A file with more unused pages than this share, and this number, is copied. */
const GAPS_SHARE = 1 / 8;
const GAPS_MIN = 1_000;
/** After a disk was full: a file that is begun anew at once would fill it again, for the database as well. */
const FULL_PAUSE_MS = 60_000;

export interface ServingKeeper {
  /**
   * Does some tenths of a second of work at most, but for the sorting of a new file.
   * @returns false when nothing is left to do
   */
  step(): boolean;
  close(): void;
}

/**
 * For one caller at a time and process; others may keep the same files at the same time.
 * @param now milliseconds of a clock that never goes back
 * @param batchBytes the most that one step reads of texts, unless one text is longer
 */
export function createServingKeeper(
  main: Database,
  now: () => number = () => performance.now(),
  batchBytes = BATCH_BYTES,
): ServingKeeper {
  let waitsUntil = Number.NEGATIVE_INFINITY;
  let held: (KeptFile & { readonly identity: string | undefined }) | undefined;

  const drop = (): void => {
    held?.db.close();
    held = undefined;
  };

  const open = (): KeptFile => {
    const path = held?.db.path;
    if (held && path !== undefined && identifyFile(path) === held.identity && !isMarkedDamaged(path))
      return held;
    drop();
    const [newest] = listServingFiles(main.path);
    const file =
      newest === undefined || isMarkedDamaged(newest)
        ? startFile(main)
        : { db: openToWrite(newest), orders: new Orders() };
    held = { ...file, identity: identifyFile(file.db.path) };
    return held;
  };

  /** Merging the full text leaves gaps. Files that are read are never cut short: another one takes the place. */
  const compact = ({ db }: KeptFile): boolean => {
    const pages = db.connection.pragma('page_count', { simple: true }) as number;
    const free = db.connection.pragma('freelist_count', { simple: true }) as number;
    if (free < Math.max(GAPS_MIN, pages * GAPS_SHARE)) return false;
    copyServingFile(db, main.path);
    // The next step goes on with the newest.
    drop();
    return true;
  };

  return {
    step() {
      if (now() < waitsUntil) return false;
      try {
        const file = open();
        if (followEntries(main, file, batchBytes) !== undefined) return true;
        for (const path of listServingFiles(main.path)) if (path !== file.db.path) removeServingFile(path);
        removeStrays(main.path);
        return followTexts(file.db, 'all', batchBytes) || compact(file);
      } catch (error) {
        const path = held?.db.path ?? listServingFiles(main.path)[0];
        // What is half made would keep the disk full, for the database as well.
        const isInTheWay = held !== undefined && isFull(error) && !isWhole(held.db);
        drop();
        if (isFull(error)) waitsUntil = now() + FULL_PAUSE_MS;
        if (path !== undefined && isInTheWay) removeServingFile(path);
        if (path === undefined || !(error instanceof StaleFileError || isDamage(error))) throw error;
        // It cannot go on; the next step begins another. Readers keep theirs until they look.
        removeServingFile(path);
        return true;
      }
    },
    close: drop,
  };
}

/** Reads the whole newest file for pages that SQLite takes for damaged: it is made anew then. @returns what is wrong */
export function checkServing(databasePath: string): string[] {
  const [path] = listServingFiles(databasePath);
  if (path === undefined) return [];
  const problems = findProblems(path);
  if (problems.length > 0) markDamaged(path);
  return problems;
}

/** A page that the check itself cannot do without ends it. */
function findProblems(path: string): string[] {
  let db: Database | undefined;
  try {
    db = openToRead(path);
    return checkFile(db);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [String(error)];
  } finally {
    db?.close();
  }
}

/** @returns what SQLite finds wrong with a file */
export function checkFile(db: Database): string[] {
  const found = db.connection.pragma('quick_check(5)') as { quick_check: string }[];
  return found.map((row) => row.quick_check).filter((problem) => problem !== 'ok');
}

/**
 * Takes what was removed out of every file there is, also of one that is half made, and overwrites the space that it took;
 * a file in which that cannot be done goes as a whole.
 */
export async function eraseFromServing(main: Database): Promise<void> {
  for (const erased = new Set<string>(); ;) {
    // A copy that is just being made may hold what was removed: it is taken away, and made again.
    removeStrays(main.path);
    const path = listServingFiles(main.path).find((one) => !erased.has(one));
    if (path === undefined) return;
    erased.add(path);
    try {
      const file: KeptFile = { db: openToWrite(path), orders: new Orders() };
      try {
        while (isBehind(main, file.db)) followEntries(main, file);
        while (followTexts(file.db, 'changed'));
      } finally {
        file.db.close();
      }
      await overwriteFreeSpace(path);
    } catch (error) {
      // Taken away meanwhile by who makes another.
      if (existsSync(path) && !(error instanceof StaleFileError || isDamage(error))) throw error;
      removeServingFile(path);
    }
  }
}

/** Nothing is left to be made. Damage shows elsewhere. */
function isWhole(db: Database): boolean {
  try {
    const state = findState(db);
    return state?.builtThrough === null && state.textThrough === null;
  } catch {
    return false;
  }
}

function isBehind(main: Database, db: Database): boolean {
  const state = findState(db);
  const head = readLogHead(main);
  return !state || state.history !== head.history || state.seq < head.seq;
}
