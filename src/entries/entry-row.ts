import type { Selectable } from 'kysely';
import type { Tables } from '../db/tables.ts';
import type { Content } from './contents.ts';
import type { Withdrawal } from './entry-fields.ts';

export type EntryRow = Selectable<Tables['entries']>;

export type FormerNames = 'add' | 'unchanged' | 'erase';

/** An entry as it is to become. */
export interface EntryWrite extends Omit<EntryRow, 'row' | 'entry_id' | 'proofs_id' | 'views'> {
  /** Null keeps the counted views. */
  readonly views: number | null;
  /** Undefined keeps texts and proofs; allowed for public entries only. */
  readonly content?: Content | undefined;
  /**
   * Recorded by redactions and the verb `proofs`, so that no restore brings them back: a given name or reason also where it
   * is the one before, because a backup may have an earlier one; proofs where one goes.
   */
  readonly withdraws?: readonly Withdrawal[] | undefined;
  /** `add` (default) adds a replaced name of a reported entry, `unchanged` does not, `erase` deletes all. */
  readonly formerNames?: FormerNames | undefined;
  /** Erases private notes, and the notes of appeals. */
  readonly erasesNotes?: boolean | undefined;
  /** Only change-appeal.ts sets it: the entry's appeals were changed in this transaction. */
  readonly changesAppeal?: boolean;
}

/** The history of an entry names it beside each change. */
export type HowChanged = 'edit' | 'redaction' | 'import' | 'undo' | 'restore' | 'rebuild';

export interface WriteOptions {
  /** Newest change when the writes were compared with the entries. */
  readonly comparedSeq: number;
  readonly now: number;
  readonly by?: string | undefined;
  readonly how?: HowChanged | undefined;
}

export function toWrite({ row: _row, entry_id: _id, proofs_id: _proofsId, ...kept }: EntryRow): EntryWrite {
  return { ...kept, views: null };
}
