/**
 * A client's place in the change log: what `/api/changes` and the manifest of the snapshots hand out. Opaque to clients.
 * It names the log, which a restore renews, so that it is never taken for a place in another one. It does not age: the
 * log keeps the last change of every entry (prune-changes.ts).
 */
import type { Database } from '../db/database.ts';
import { readLogHead } from './log-head.ts';
import type { LogHead } from './log-head.ts';

/** `seq`: the last change that its bearer knows; 0 stands before the first. */
export type Cursor = LogHead;

const CURSOR = /^([0-9a-f]{16})-(0|[1-9]\d{0,14})$/;
/**
 * Hex of an earlier version's cursor in base64url: the log, the number, and six bytes that have no meaning any more.
 * Promised for 90 days: it may go in March 2027.
 */
const OLD_CURSOR = /^01([0-9a-f]{16})([0-9a-f]{12})[0-9a-f]{12}$/;

export function formatCursor({ history, seq }: Cursor): string {
  return `${history}-${seq}`;
}

/** Undefined when the text is no cursor. */
export function parseCursor(text: string): Cursor | undefined {
  const [, history, seq] = CURSOR.exec(text) ?? [];
  if (history !== undefined) return { history, seq: Number(seq) };
  const [, oldHistory, oldSeq] = OLD_CURSOR.exec(Buffer.from(text, 'base64url').toString('hex')) ?? [];
  return oldHistory === undefined ? undefined : { history: oldHistory, seq: Number(`0x${oldSeq}`) };
}

/** False when it belongs to another log: its bearer starts from the snapshots. */
export function isCursorAlive(db: Database, { history, seq }: Cursor): boolean {
  const head = readLogHead(db);
  return history === head.history && seq <= head.seq;
}
