/**
 * Where a follower outside stands in the change log: what `/api/changes` and the manifest of the snapshots hand out.
 * Opaque to clients. It names the history and carries a mark of the change it stands at, so that it is never taken for
 * a place in another log: not after a backup was restored, not when the file was put back by hand.
 */
import { createHash } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { readLogHead } from './log-head.ts';

export interface Cursor {
  readonly history: string;
  /** The last change that its bearer knows; 0 stands before the first. */
  readonly seq: number;
  /** Hex; what the change looked like. */
  readonly mark: string;
}

interface ChangeRow {
  readonly seq: number;
  readonly at: number;
  readonly op: string;
  readonly list: string;
  readonly entry_id: string;
}

const VERSION = 1;
const HISTORY_AT = 1;
const SEQ_AT = 9;
const SEQ_BYTES = 6;
const MARK_AT = SEQ_AT + SEQ_BYTES;
const MARK_BYTES = 6;
const LENGTH = MARK_AT + MARK_BYTES;
const BEFORE_ALL = '0'.repeat(2 * MARK_BYTES);

/** @param seq of a change that is in the log, or 0 */
export function getCursor(db: Database, seq: number): Cursor {
  const mark = findMark(db, seq);
  if (mark === undefined) throw new Error(`there is no change ${seq}`);
  return { history: readLogHead(db).history, seq, mark };
}

export function formatCursor({ history, seq, mark }: Cursor): string {
  const bytes = Buffer.alloc(LENGTH);
  bytes.writeUInt8(VERSION);
  bytes.write(history, HISTORY_AT, 'hex');
  bytes.writeUIntBE(seq, SEQ_AT, SEQ_BYTES);
  bytes.write(mark, MARK_AT, 'hex');
  return bytes.toString('base64url');
}

/** Undefined when the text is none that formatCursor makes. */
export function parseCursor(text: string): Cursor | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== LENGTH || bytes.readUInt8() !== VERSION || bytes.toString('base64url') !== text) {
    return undefined;
  }
  return {
    history: bytes.toString('hex', HISTORY_AT, SEQ_AT),
    seq: bytes.readUIntBE(SEQ_AT, SEQ_BYTES),
    mark: bytes.toString('hex', MARK_AT),
  };
}

/** False when it belongs to another history, or its change is no longer in the log: its bearer starts anew. */
export function isCursorAlive(db: Database, { history, seq, mark }: Cursor): boolean {
  return history === readLogHead(db).history && mark === findMark(db, seq);
}

function findMark(db: Database, seq: number): string | undefined {
  if (seq === 0) return BEFORE_ALL;
  const row = db.statement<ChangeRow>('SELECT * FROM changes WHERE seq = ?').get(seq);
  if (!row) return undefined;
  return createHash('sha256')
    .update(`${row.seq} ${row.at} ${row.op} ${row.list} ${row.entry_id}`)
    .digest('hex')
    .slice(0, 2 * MARK_BYTES);
}
