/** An entry as the database holds it, and as it is handed to be written. */
import type { Selectable } from 'kysely';
import type { Tables } from '../db/tables.ts';
import type { Content } from './contents.ts';
import type { ProofsState } from './entry.ts';

export type EntryRow = Selectable<Tables['entries']>;

export type FormerNames = 'keep' | 'leave' | 'forget';

/** All that an entry is after the write. */
export interface EntryWrite {
  readonly chatId: string;
  readonly name: string;
  readonly verified: boolean;
  /** Epoch milliseconds. */
  readonly reportedAt: number;
  /** Undefined leaves the counted ones. */
  readonly views: number | undefined;
  readonly proofs: ProofsState;
  /** Counts only for an entry that is not there yet. */
  readonly reportId: string;
  /** Undefined leaves texts and proofs as they are; only of an entry that is public. */
  readonly content: Content | undefined;
  /** A name, reason or proof that this write takes from the entry must not come back with a backup. */
  readonly withdraws?: boolean;
  /** `keep` unless it says otherwise: a replaced name of a reported entry is kept; `leave`: it is not; `forget`: all are erased. */
  readonly formerNames?: FormerNames;
  /** Epoch milliseconds; given when nothing that anybody can see changes, and the last change stays what it was. */
  readonly updatedAt?: number;
}

/** An entry as it is, to be written again with something else. */
export function toWrite(row: EntryRow): EntryWrite {
  return {
    chatId: row.chat_id,
    name: row.name,
    verified: row.verified === 1,
    reportedAt: row.reported_at,
    views: undefined,
    proofs: row.proofs,
    reportId: row.report_id,
    content: undefined,
  };
}
