/**
 * `removed.ndjson` beside the database lists the events of `removals` again; it outlives the database and is in no backup. A change
 * appends lines. A file that is not as this database left it is merged with it, once.
 */
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { besideDatabase } from '../data-files.ts';
import type { Database, Transaction } from '../db/database.ts';
import { fileBytes } from '../db/disk-room.ts';
import { findProperty, setProperty } from '../db/properties.ts';
import { writeFileAtomic } from '../db/write-file-atomic.ts';
import { readLogHead } from '../changes/change-log.ts';
import {
  RETURNED,
  newestEventNumber,
  listRemovalEvents,
  newestRemovalEvents,
  REMOVAL_KINDS,
  type RemovalEvent,
} from './removals.ts';

export const REMOVED_FILE = 'removed.ndjson';

const lineSchema = z
  .strictObject({
    at: z.iso.datetime(),
    list: z.string().min(1),
    _id: z.string().min(1),
    what: z.enum([...REMOVAL_KINDS, RETURNED]),
    reason: z.string().optional(),
    history: z.string().min(1),
    change: z.number().int().min(0),
  })
  .transform(({ at, _id, reason = null, history, ...rest }): RemovalEvent => ({
    ...rest,
    at: Date.parse(at),
    entry_id: _id,
    reason_code: reason,
    logId: history,
  }));

export class RemovedFileError extends Error {
  override name = 'RemovedFileError';
  readonly line: number;

  constructor(path: string, line: number) {
    super(`${path}:${line}: is no removal`);
    this.line = line;
  }
}

export function removedPath(databasePath: string): string {
  return besideDatabase(databasePath, REMOVED_FILE);
}

/** @throws {RemovedFileError} instead of skipping a line, because that line might be somebody's request */
export function readRemovedFile(path: string): RemovalEvent[] {
  return newestRemovalEvents(parseLines(path, readFileSync(path, 'utf8')));
}

/** Adds the removals of the database. The transaction's lock keeps other writers away. @returns false when nothing is new */
export function updateRemovedFile(db: Database): boolean {
  const newest = newestEventNumber(db);
  const isEmpty = newest === 0 && !existsSync(removedPath(db.path));
  if (isEmpty || findPlace(db) === newest) return false;
  const isAppended = db.write((tx) => {
    const place = findPlace(tx);
    if (place === undefined) return undefined;
    const removals = listRemovalEvents(tx, place);
    appendWhole(removedPath(tx.path), removals.map(toLine).join(''));
    setPlace(tx);
    return removals.length > 0;
  });
  return isAppended ?? mergeRemovedFile(db);
}

/**
 * Keeps the operator's lines, leaves out replaced ones.
 * @param others more events for the file @returns false for no change @throws {RemovedFileError}
 */
export function mergeRemovedFile(db: Database, others: readonly RemovalEvent[] = []): boolean {
  const merged = merge(db, others);
  return db.write((tx) => {
    const isSame = merged.end === describeEnd(tx) && merged.newest === newestEventNumber(tx);
    const { text, next } = isSame ? merged : merge(tx, others);
    if (next !== text) writeFileAtomic(removedPath(tx.path), next);
    setPlace(tx);
    return next !== text;
  });
}

function merge(db: Database, others: readonly RemovalEvent[]) {
  const path = removedPath(db.path);
  const [end, newest] = [describeEnd(db), newestEventNumber(db)];
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  // A power cut may have left half of the last line.
  const before = parseLines(path, text.slice(0, text.lastIndexOf('\n') + 1));
  const next = newestRemovalEvents([...others, ...before, ...listRemovalEvents(db)]);
  return { end, newest, text, next: next.map(toLine).join('') };
}

const PLACE_PROPERTY = 'removed_file';
/** The compared end of the file, at least ten lines. */
const END_BYTES = 4096;

/** @returns the newest removal in the file; undefined when the file or the database is another one */
function findPlace(db: Database): number | undefined {
  const [removal, logId, end] = findProperty(db, PLACE_PROPERTY)?.split(' ') ?? [];
  const isSame = logId === readLogHead(db).logId && end === describeEnd(db);
  return isSame ? Number(removal) : undefined;
}

function setPlace(tx: Transaction): void {
  const { logId } = readLogHead(tx);
  setProperty(tx, PLACE_PROPERTY, `${newestEventNumber(tx)} ${logId} ${describeEnd(tx)}`);
}

/** The operator may have changed the file, so its size is not enough. */
function describeEnd(db: Database): string {
  const path = removedPath(db.path);
  if (!existsSync(path)) return 'none';
  const from = Math.max(0, fileBytes(path) - END_BYTES);
  const end = readFrom(path, from);
  return `${from + end.length}-${createHash('sha256').update(end).digest('hex')}`;
}

/**
 * Copies what was appended; the whole file where it is another one, and daily, with `isWhole`. Removals that only the copy
 * lists are of a lost database, and come into the file first.
 */
export function copyRemovedFile(db: Database, folder: string, isWhole: boolean): void {
  const from = removedPath(db.path);
  const to = join(folder, REMOVED_FILE);
  const copied = fileBytes(to);
  if (copied > 0) {
    const start = Math.max(0, copied - END_BYTES);
    const [end, copiedEnd] = [readFrom(from, start), readFrom(to, start)];
    const isBegun = copiedEnd.equals(end.subarray(0, copiedEnd.length));
    if (isBegun && !isWhole) return appendWhole(to, end.subarray(copiedEnd.length));
    mergeRemovedFile(db, takeCopy(to));
  }
  const text = readFileSync(from);
  if (copied !== text.length || !readFileSync(to).equals(text)) writeFileAtomic(to, text);
}

/** A copy with a damaged line is kept beside it, because the line might be the request of a person. */
function takeCopy(path: string): RemovalEvent[] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1).filter(Boolean);
  const events = lines.flatMap((line) => parseEvent(line) ?? []);
  if (events.length < lines.length) copyFileSync(path, `${path}.damaged`);
  return events;
}

/** Leaves no part of the bytes behind when the disk is full. */
function appendWhole(path: string, bytes: string | Buffer): void {
  if (bytes.length === 0) return;
  const size = fileBytes(path);
  try {
    appendFileSync(path, bytes, { mode: 0o600, flush: true });
  } catch (error) {
    if (existsSync(path)) truncateSync(path, size);
    throw error;
  }
}

function readFrom(path: string, start: number): Buffer {
  using files = new DisposableStack();
  const file = files.adopt(openSync(path, 'r'), closeSync);
  const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - start));
  return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start));
}

function parseLines(path: string, lines: string): RemovalEvent[] {
  return lines.split('\n').flatMap((text, index) => {
    if (text === '') return [];
    const event = parseEvent(text);
    if (!event) throw new RemovedFileError(path, index + 1);
    return [event];
  });
}

function parseEvent(text: string): RemovalEvent | undefined {
  try {
    return lineSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function toLine({ at, list, entry_id, what, reason_code, logId, change }: RemovalEvent): string {
  const shown = {
    at: new Date(at).toISOString(),
    list,
    _id: entry_id,
    what,
    reason: reason_code ?? undefined,
    history: logId,
    change,
  };
  return `${JSON.stringify(shown)}\n`;
}
