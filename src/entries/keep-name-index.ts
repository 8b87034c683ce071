/**
 * What the worker does so that the name index stays useful: it makes the file when there is none that can be used, when
 * too much has changed since, or when views have; and it overwrites the names of removed entries. Between two files the
 * web process adds what has changed by itself (src/entries/check-by-name.ts), so that a change costs no writing here.
 */
import { rmSync } from 'node:fs';
import type { Database } from '../db/database.ts';
import { readNameIndexMoment } from './collect-names.ts';
import type { NameIndexMoment } from './collect-names.ts';
import { CHANGES_HELD_MAX, isLogWholeSince } from './changed-names.ts';
import { makeInThread, mayWriteAgain, removeHalfMade, reportKept } from './derived-file.ts';
import type { KeepFileOptions } from './derived-file.ts';
import {
  eraseKey,
  eraseNames,
  NameIndexFileError,
  nameIndexPath,
  readNameIndex,
  readNameIndexHeader,
} from './name-index-file.ts';
import type { NameIndexHeader } from './name-index-file.ts';

/** Changes that the web process adds by itself; with more, the file is made anew when its size allows. */
export const CHANGES_MAX = 1_000;
/** At most so many bytes a second are written for changes, and for new views. */
const CHANGES_BYTES_PER_SECOND = 1_000_000;
const VIEWS_BYTES_PER_SECOND = 100_000;

/** @returns what was done, for the log; safe to run again at any time, but not beside another run */
export async function keepNameIndex({ db, signal, erasedTo, now }: KeepFileOptions): Promise<object> {
  const path = nameIndexPath(db.path);
  removeHalfMade(path);
  const header = await findHeader(path, erasedTo === undefined);
  const isWhole = isLogWholeSince(db, header?.seq ?? 0);
  const reason = isWhole ? reasonToMake(header, readNameIndexMoment(db), now) : 'changes';
  if (header && !reason)
    return reportKept(undefined, header.entries, await eraseRemoved(db, header, erasedTo));
  const made = await makeNameIndex(db, path, signal);
  // Those that were removed while it was made.
  return reportKept(reason, made.entries, await eraseRemoved(db, made, undefined));
}

function reasonToMake(
  header: NameIndexHeader | undefined,
  moment: NameIndexMoment,
  now: number,
): string | undefined {
  if (!header) return 'missing';
  if (header.history !== moment.history || header.seq > moment.seq) return 'another history';
  const bytes = header.lengths.reduce((sum, length) => sum + length, 0);
  const mayWrite = (bytesPerSecond: number): boolean =>
    mayWriteAgain(header.madeAt, bytes, bytesPerSecond, now);
  const changes = moment.seq - header.seq;
  if (changes > CHANGES_HELD_MAX) return 'changes';
  if (changes > CHANGES_MAX && mayWrite(CHANGES_BYTES_PER_SECOND)) return 'changes';
  if (header.popularity !== moment.popularity && mayWrite(VIEWS_BYTES_PER_SECOND)) return 'views';
  return undefined;
}

/** Undefined when there is no file that can be used. */
async function findHeader(path: string, thorough: boolean): Promise<NameIndexHeader | undefined> {
  try {
    return thorough ? (await readNameIndex(path)).header : await readNameIndexHeader(path);
  } catch (error) {
    if (error instanceof NameIndexFileError || (error as NodeJS.ErrnoException).code === 'ENOENT')
      return undefined;
    throw error;
  }
}

async function makeNameIndex(db: Database, path: string, signal: AbortSignal): Promise<NameIndexHeader> {
  await makeInThread(path, new URL('name-index-thread.ts', import.meta.url), db.path, signal);
  return readNameIndexHeader(path);
}

/** @param erasedTo names of entries that were removed up to this change are erased already */
async function eraseRemoved(db: Database, header: NameIndexHeader, erasedTo = 0): Promise<number> {
  const removed = db
    .statement<{ entry_id: string }>("SELECT DISTINCT entry_id FROM changes WHERE seq > ? AND op = 'removed'")
    .all(Math.max(header.seq, erasedTo));
  return eraseFromNameIndex(
    db,
    removed.map(({ entry_id: entryId }) => entryId),
  );
}

/**
 * Overwrites the names of removed entries in the file; a file that cannot be read goes as a whole.
 * @returns how many names were overwritten
 */
export async function eraseFromNameIndex(db: Database, entryIds: readonly string[]): Promise<number> {
  const path = nameIndexPath(db.path);
  const isGone = (row: number, entryId: string): boolean => {
    const present = db.statement<{ entry_id: string }>('SELECT entry_id FROM entries WHERE row = ?').get(row);
    if (!present || present.entry_id === entryId) return true;
    // Either a removed entry's row that a new one got, or an entry that only has the same key.
    return eraseKey(present.entry_id) !== eraseKey(entryId);
  };
  try {
    return await eraseNames(path, entryIds, isGone);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    if (!(error instanceof NameIndexFileError)) throw error;
    rmSync(path, { force: true });
    return 0;
  }
}
