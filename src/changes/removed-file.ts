/**
 * `removed.ndjson` beside the database: the removals once more, in a file that no backup holds and that outlives the
 * database. A copy lies in the folder of the backups, kept as new. Lines are appended; a restore writes it again, without
 * removals that count no longer.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Database } from '../db/database.ts';
import { findRemovalNumber, listRemovals, newestRemovals, REMOVAL_KINDS } from './removals.ts';
import type { Removal } from './removals.ts';

export const REMOVED_FILE = 'removed.ndjson';

const line = z.strictObject({
  at: z.iso.datetime(),
  list: z.string().min(1),
  _id: z.string().min(1),
  what: z.enum(REMOVAL_KINDS),
  reason: z.string().optional(),
  history: z.string().min(1),
  change: z.number().int().min(0),
});

/** The file says something that is no removal; the message names file and line. */
export class RemovedFileError extends Error {
  override name = 'RemovedFileError';
}

export function removedPath(databasePath: string): string {
  return join(dirname(databasePath), REMOVED_FILE);
}

/**
 * In order of the file.
 * @throws {RemovedFileError} for a line that cannot be read: one left out might be what somebody asked for
 */
export function readRemovedFile(path: string): Removal[] {
  return parseLines(path, readFileSync(path, 'utf8'));
}

/**
 * Appends the removals of the table that come after the last line of the file. A file that was cut off, or whose last line
 * is not in the table, is written again together with the table. The lock of the transaction keeps other writers of the file away.
 * @returns how many lines were written
 */
export function appendRemovals(db: Database): number {
  const path = removedPath(db.path);
  const compare = () => {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    // A power cut can leave half a line at the end.
    const lines = text.slice(0, text.lastIndexOf('\n') + 1);
    const isWhole = lines === text;
    const last = lines.trimEnd().split('\n').at(-1);
    const known = last ? findRemovalNumber(db, parseLine(path, last, lines.split('\n').length - 1)) : 0;
    return { lines, isWhole, canAppend: isWhole && known !== undefined, fresh: listRemovals(db, known) };
  };
  // Nothing to write needs no lock, and no file.
  const first = compare();
  if (first.isWhole && first.fresh.length === 0) return 0;
  return db.write(() => {
    const { lines, canAppend, fresh } = compare();
    if (canAppend) writeSynced(path, 'a', fresh.map(toLine).join(''));
    else replaceFile(path, [...parseLines(path, lines), ...fresh]);
    return fresh.length;
  });
}

/** Puts the file in place with these removals and those of the table. */
export function rewriteRemovedFile(db: Database, others: readonly Removal[]): void {
  db.write(() => replaceFile(removedPath(db.path), [...others, ...listRemovals(db)]));
}

/** A copy for the folder of the backups, as new as the file. @throws when it cannot be written */
export function copyRemovedFile(databasePath: string, folder: string): void {
  const from = removedPath(databasePath);
  const to = join(folder, REMOVED_FILE);
  const text = readFileSync(from);
  if (existsSync(to) && readFileSync(to).equals(text)) return;
  writeSynced(`${to}.part`, 'w', text);
  renameSync(`${to}.part`, to);
}

function parseLines(path: string, lines: string): Removal[] {
  return lines.split('\n').flatMap((text, index) => (text === '' ? [] : [parseLine(path, text, index + 1)]));
}

function parseLine(path: string, text: string, number: number): Removal {
  const refuse = (): never => {
    throw new RemovedFileError(`${path}:${number}: is no removal; mend the line, or take it out`);
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse();
  }
  const { data } = line.safeParse(value);
  if (!data) return refuse();
  const { at, list, _id, what, reason, history, change } = data;
  return { at: Date.parse(at), list, entryId: _id, what, reasonCode: reason ?? null, history, change };
}

function toLine({ at, list, entryId, what, reasonCode, history, change }: Removal): string {
  const reason = reasonCode === null ? {} : { reason: reasonCode };
  const shown = { at: new Date(at).toISOString(), list, _id: entryId, what, ...reason, history, change };
  return `${JSON.stringify(shown)}\n`;
}

function replaceFile(path: string, removals: readonly Removal[]): void {
  writeSynced(`${path}.part`, 'w', newestRemovals(removals).map(toLine).join(''));
  renameSync(`${path}.part`, path);
}

function writeSynced(path: string, flag: 'a' | 'w', text: string | Uint8Array): void {
  const file = openSync(path, flag, 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
