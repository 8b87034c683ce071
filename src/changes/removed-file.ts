/** `removed.ndjson` beside the database lists the removals again; it outlives the database and is in no backup. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Database } from '../db/database.ts';
import { writeFileAtomic } from '../db/write-file-atomic.ts';
import { listRemovals, newestRemovals, REMOVAL_KINDS, type Removal } from './removals.ts';

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

export class RemovedFileError extends Error {
  override name = 'RemovedFileError';
  readonly line: number;

  constructor(path: string, line: number) {
    super(`${path}:${line}: is no removal`);
    this.line = line;
  }
}

export function removedPath(databasePath: string): string {
  return join(dirname(databasePath), REMOVED_FILE);
}

/** @throws {RemovedFileError} instead of skipping a line, because that line might be somebody's request */
export function readRemovedFile(path: string): Removal[] {
  return parseLines(path, readFileSync(path, 'utf8'));
}

/** Adds the removals of the database. The transaction's lock keeps other writers away. @returns false when nothing is new */
export function updateRemovedFile(db: Database): boolean {
  const path = removedPath(db.path);
  return db.write(() => {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    // Earlier versions appended lines, and a power cut could leave half of one.
    const before = parseLines(path, text.slice(0, text.lastIndexOf('\n') + 1));
    const next = newestRemovals([...before, ...listRemovals(db)])
      .map(toLine)
      .join('');
    if (next === text) return false;
    writeFileAtomic(path, next);
    return true;
  });
}

export function copyRemovedFile(databasePath: string, folder: string): void {
  const from = removedPath(databasePath);
  const to = join(folder, REMOVED_FILE);
  const text = readFileSync(from);
  if (existsSync(to) && readFileSync(to).equals(text)) return;
  writeFileAtomic(to, text);
}

function parseLines(path: string, lines: string): Removal[] {
  return lines.split('\n').flatMap((text, index) => (text === '' ? [] : [parseLine(path, text, index + 1)]));
}

function parseLine(path: string, text: string, number: number): Removal {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {}
  const { data } = line.safeParse(value);
  if (!data) throw new RemovedFileError(path, number);
  const { at, list, _id, what, reason, history, change } = data;
  return { at: Date.parse(at), list, entry_id: _id, what, reason_code: reason ?? null, history, change };
}

function toLine({ at, list, entry_id, what, reason_code, history, change }: Removal): string {
  const reason = reason_code === null ? {} : { reason: reason_code };
  const shown = { at: new Date(at).toISOString(), list, _id: entry_id, what, ...reason, history, change };
  return `${JSON.stringify(shown)}\n`;
}
