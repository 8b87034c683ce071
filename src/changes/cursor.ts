/** A client's position in the change log, opaque to clients. It never expires (prune-changes.ts). */
import type { Database } from '../db/database.ts';
import { readLogHead, type LogHead } from './log-head.ts';

export type Cursor = LogHead;

const CURSOR = /^([0-9a-f]{16})-(0|[1-9]\d{0,14})$/;

export function formatCursor({ logId, seq }: Cursor): string {
  return `${logId}-${seq}`;
}

export function parseCursor(text: string): Cursor | undefined {
  const [, logId, seq] = CURSOR.exec(text) ?? [];
  return logId === undefined ? undefined : { logId, seq: Number(seq) };
}

/** False for a cursor of another log: its client starts from the snapshots. */
export function isCursorValid(db: Database, { logId, seq }: Cursor): boolean {
  const head = readLogHead(db);
  return logId === head.logId && seq <= head.seq;
}
