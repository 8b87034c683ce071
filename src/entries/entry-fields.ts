/**
 * All fields of an entry, by their names in the import format. The compiler refuses a field that is missing where fields
 * are read, written, published, erased, taken back or restored.
 */
import type { Tables } from '../db/tables.ts';

type EntryRow = Tables['entries'];

interface Placement {
  /** Null when the value lies in another table than `entries`. */
  readonly column: keyof EntryRow | null;
  /** SPEC fixes the keys of `api`; verdicts, changes, snapshots and cards add fields of `mirrors`. */
  readonly shown: 'api' | 'mirrors' | 'never';
  /** The effect of `edit --redact`. An erased field is a kind of removal, so that no restore brings it back. */
  readonly redaction: 'replaces' | 'empties' | 'keeps';
}

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
} as const satisfies Record<string, Placement>;

type Fields = typeof ENTRY_FIELDS;
export type EntryField = keyof Fields;

type FieldWith<Place extends Partial<Placement>> = {
  [Field in EntryField]: Fields[Field] extends Place ? Field : never;
}[EntryField];

type ErasedField = Exclude<EntryField, FieldWith<{ redaction: 'keeps' }>>;
export type EmptiedField = FieldWith<{ redaction: 'empties' }>;
/** A kind of removal that leaves the entry; `private` says that its proofs were made private. */
export type Withdrawal = ErasedField | 'private';
export const WITHDRAWALS: readonly Withdrawal[] = [
  ...(Object.keys(ENTRY_FIELDS) as EntryField[]).filter(
    (field): field is ErasedField => ENTRY_FIELDS[field].redaction !== 'keeps',
  ),
  'private',
];

export type PrivateColumn = NonNullable<Fields[FieldWith<{ shown: 'never' }>]['column']>;
type MirrorField = FieldWith<{ shown: 'mirrors' }>;
/** The values that mirrors and cards add to SPEC's keys, as the database has them. */
export type MirrorFacts = { readonly [Field in MirrorField]: EntryRow[Fields[Field]['column']] } & {
  readonly updatedAt: number;
};
