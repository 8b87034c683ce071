import type { Selectable } from 'kysely';
import type { Tables } from '../db/tables.ts';
import type { Content } from './contents.ts';
import type { ProofsState } from './entry.ts';

export type EntryRow = Selectable<Tables['entries']>;

export type FormerNames = 'add' | 'unchanged' | 'erase';

export interface EntryWrite {
  readonly chatId: string;
  readonly name: string;
  readonly verified: boolean;
  readonly reportedAt: number;
  /** Undefined keeps the counted views. */
  readonly views: number | undefined;
  readonly proofs: ProofsState;
  /** Ignored for existing entries. */
  readonly reportId: string;
  /** Undefined keeps texts and proofs; allowed for public entries only. */
  readonly content: Content | undefined;
  /** A restore must not bring back the replaced names, reasons and proofs. */
  readonly erasesReplaced?: boolean;
  /** `add` (default) adds a replaced name of a reported entry, `unchanged` does not, `erase` deletes all. */
  readonly formerNames?: FormerNames;
  /** Epoch milliseconds; a write that changes nothing visible passes the old time. */
  readonly updatedAt?: number;
}

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
