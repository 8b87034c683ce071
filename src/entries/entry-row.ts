/** The fields of an entry, its row, and its write. */
import type { Selectable } from 'kysely';
import type { Tables } from '../db/tables.ts';
import type { Content } from './entry-content.ts';
import type { Appeal } from './entry.ts';

export type EntryRow = Selectable<Tables['entries']>;

interface Placement {
  /** Null when the value lies in another table than `entries`. */
  readonly column: keyof EntryRow | null;
  /** SPEC fixes the keys of `api`; verdicts, changes, snapshots and summaries add fields of `mirrors`. */
  readonly shown: 'api' | 'mirrors' | 'never';
  /**
   * The effect of `edit --redact`. An erased field is a kind of removal, so that no restore brings it back. The texts of a
   * field that follows go with the name or the reason, whichever is erased, now and by a restore.
   */
  readonly redaction: 'replaces' | 'empties' | 'follows' | 'keeps';
  /** False: no import or export has it, so no import takes it back. */
  readonly imported?: false;
}

/**
 * All fields, by their names in the import format or the API. The compiler refuses a field that is missing where fields are
 * read, written, published, erased, taken back or restored.
 */
export const ENTRY_FIELDS = {
  id: { column: 'chat_id', shown: 'api', redaction: 'keeps' },
  name: { column: 'name', shown: 'api', redaction: 'replaces' },
  reason: { column: null, shown: 'api', redaction: 'replaces' },
  verified: { column: 'verified', shown: 'api', redaction: 'keeps' },
  reportedAt: { column: 'reported_at', shown: 'mirrors', redaction: 'keeps' },
  verifiedAt: { column: 'verified_at', shown: 'mirrors', redaction: 'keeps' },
  account: { column: 'account', shown: 'mirrors', redaction: 'keeps' },
  accountSince: { column: 'account_since', shown: 'mirrors', redaction: 'keeps' },
  reportId: { column: 'report_id', shown: 'api', redaction: 'keeps' },
  views: { column: 'views', shown: 'never', redaction: 'keeps' },
  proofs: { column: 'proofs', shown: 'api', redaction: 'empties' },
  appeal: { column: null, shown: 'mirrors', redaction: 'follows', imported: false },
} as const satisfies Record<string, Placement>;

type Fields = typeof ENTRY_FIELDS;
export type EntryField = keyof Fields;

type FieldWith<Place extends Partial<Placement>> = {
  [Field in EntryField]: Fields[Field] extends Place ? Field : never;
}[EntryField];

/** A field of the import format. */
export type ImportedField = Exclude<EntryField, FieldWith<{ imported: false }>>;

type ErasedField = FieldWith<{ redaction: 'replaces' | 'empties' }>;
export type EmptiedField = FieldWith<{ redaction: 'empties' }>;
/** A kind of removal that leaves the entry; `private` says that its proofs were made private. */
export type Withdrawal = ErasedField | 'private';
export const WITHDRAWALS: readonly Withdrawal[] = [
  ...(Object.keys(ENTRY_FIELDS) as EntryField[]).filter((field): field is ErasedField =>
    ['replaces', 'empties'].includes(ENTRY_FIELDS[field].redaction),
  ),
  'private',
];

export type PrivateColumn = NonNullable<Fields[FieldWith<{ shown: 'never' }>]['column']>;
type MirrorColumn = FieldWith<{ shown: 'mirrors'; column: keyof EntryRow }>;
/** The values that mirrors and summaries add to SPEC's keys, as the database has them. */
export type MirrorFacts = { readonly [Field in MirrorColumn]: EntryRow[Fields[Field]['column']] } & {
  readonly [Field in Exclude<FieldWith<{ shown: 'mirrors' }>, MirrorColumn>]: Appeal | null;
} & { readonly updatedAt: number };

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
  readonly recordedWithdrawals?: readonly Withdrawal[] | undefined;
  /** `add` (default) adds a replaced name of a reported entry, `unchanged` does not, `erase` deletes all. */
  readonly formerNames?: 'add' | 'unchanged' | 'erase' | undefined;
  /** Erases private notes, and the notes of appeals. */
  readonly erasesNotes?: boolean | undefined;
  /** Only write-appeal.ts sets it: the entry's appeals were changed in this transaction. */
  readonly changesAppeal?: boolean;
}

/** The history of an entry names it beside each change. */
export type ChangeOrigin = 'edit' | 'redaction' | 'import' | 'undo' | 'restore' | 'rebuild';

export interface WriteOptions {
  /** Newest change when the writes were made from the entries. */
  readonly comparedAtSeq: number;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly by?: string | undefined;
  /** Undefined for sample data. */
  readonly origin?: ChangeOrigin | undefined;
}

export function toWrite({ row: _row, entry_id: _id, proofs_id: _proofsId, ...kept }: EntryRow): EntryWrite {
  return { ...kept, views: null };
}
