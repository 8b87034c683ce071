/**
 * What the worker does so that the entry file stays useful: it makes the file when there is none that can be used, or
 * when too much has changed since, and overwrites in it what no longer holds. Between two files the web process reads
 * from the entries what has changed (ready-entries.ts), so that a change costs no more writing here than its old text.
 */
import { rmSync } from 'node:fs';
import { readLogHead } from '../../changes/log-head.ts';
import type { LogHead } from '../../changes/log-head.ts';
import type { Database } from '../../db/database.ts';
import { isLogWholeSince } from '../changed-names.ts';
import { makeInThread, mayWriteAgain, removeHalfMade, reportKept } from '../derived-file.ts';
import type { KeepFileOptions } from '../derived-file.ts';
import {
  EntryFileError,
  entryFilePath,
  eraseRecords,
  openEntryFile,
  readEntryFileHeader,
} from './entry-file.ts';
import type { EntryFileHeader } from './entry-file.ts';
import { CHANGES_HELD_MAX } from './ready-entries.ts';

/** Changes that the web process reads from the entries; with more, the file is made anew when its size allows. */
export const CHANGES_MAX = 1_000;
/** At most so many bytes a second are written for changes; more when they are too many for the web process. */
const BYTES_PER_SECOND = 1_000_000;
const BYTES_PER_SECOND_BEHIND = 20_000_000;

/** @returns what was done, for the log; safe to run again at any time, but not beside another run */
export async function keepEntryFile({ db, signal, erasedTo, now }: KeepFileOptions): Promise<object> {
  const path = entryFilePath(db.path);
  removeHalfMade(path);
  const header = await findHeader(path, erasedTo === undefined);
  const reason = reasonToMake(db, header, readLogHead(db), now);
  if (header && !reason)
    return reportKept(undefined, header.entries, await eraseChanged(db, header, erasedTo));
  await makeInThread(path, new URL('entry-file-thread.ts', import.meta.url), db.path, signal);
  const made = readEntryFileHeader(path);
  // What was changed while it was made.
  return reportKept(reason, made.entries, await eraseChanged(db, made, undefined));
}

function reasonToMake(
  db: Database,
  header: EntryFileHeader | undefined,
  { history, seq }: LogHead,
  now: number,
): string | undefined {
  if (!header) return 'missing';
  if (header.history !== history || header.seq > seq) return 'another history';
  if (!isLogWholeSince(db, header.seq)) return 'changes';
  const mayWrite = (bytesPerSecond: number): boolean =>
    mayWriteAgain(header.madeAt, header.recordBytes, bytesPerSecond, now);
  const changes = seq - header.seq;
  if (changes > CHANGES_HELD_MAX && mayWrite(BYTES_PER_SECOND_BEHIND)) return 'changes';
  if (changes > CHANGES_MAX && mayWrite(BYTES_PER_SECOND)) return 'changes';
  return undefined;
}

/** Undefined when there is no file that can be used. */
async function findHeader(path: string, thorough: boolean): Promise<EntryFileHeader | undefined> {
  try {
    if (!thorough) return readEntryFileHeader(path);
    const file = await openEntryFile(path);
    file.close();
    return file.header;
  } catch (error) {
    if (error instanceof EntryFileError || (error as NodeJS.ErrnoException).code === 'ENOENT')
      return undefined;
    throw error;
  }
}

async function eraseChanged(db: Database, header: EntryFileHeader, erasedTo = 0): Promise<number> {
  const changed = db
    .statement<{ entry_id: string }>('SELECT DISTINCT entry_id FROM changes WHERE seq > ?')
    .all(Math.max(header.seq, erasedTo));
  return eraseFromEntryFile(
    db.path,
    changed.map(({ entry_id: entryId }) => entryId),
  );
}

/**
 * Overwrites texts of entries that were changed or removed; a file that cannot be read goes as a whole.
 * @returns how many were overwritten
 */
export async function eraseFromEntryFile(databasePath: string, entryIds: readonly string[]): Promise<number> {
  const path = entryFilePath(databasePath);
  try {
    return await eraseRecords(path, entryIds);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    if (!(error instanceof EntryFileError)) throw error;
    rmSync(path, { force: true });
    return 0;
  }
}
