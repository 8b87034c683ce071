import { sqlBuilder, type Database } from '../db/database.ts';
import { listProofItems, type ProofItem } from './entry-content.ts';
import type { ListKind } from './entry.ts';
import type { ImportRecordInput } from './import-record.ts';
import type { EmptiedField, EntryRow, ImportedField } from './entry-row.ts';

export type EntryWithReason = EntryRow & { reason: string };

const PAGE_ROWS = 500;

export const selectEntriesWithReason = sqlBuilder
  .selectFrom('entries')
  .innerJoin('contents', 'contents.row', 'entries.row')
  .selectAll('entries')
  .select('reason');

/** No folder: files of proofs are named by their SHA-256 alone. */
export const BY_SHA256 = '';

/** @param folder as for toImportRecord */
export function* exportRecords(db: Database, list: ListKind, folder?: string): Generator<EntryRecord> {
  for (let after = 0; ;) {
    const rows = db.all(
      selectEntriesWithReason
        .where('list', '=', list)
        .where('entries.row', '>', after)
        .orderBy('entries.row')
        .limit(PAGE_ROWS),
    );
    for (const row of rows) yield toImportRecord(db, row, folder);
    if (rows.length < PAGE_ROWS) return;
    after = rows.at(-1)?.row ?? after;
  }
}

/** @param folder files of proofs are named by this and their SHA-256; undefined: as the operator's file was */
export function toImportRecord(db: Database, entry: EntryWithReason, folder?: string) {
  return {
    id: entry.chat_id,
    name: entry.name,
    reason: entry.reason,
    verified: entry.verified === 1,
    reportedAt: new Date(entry.reported_at).toISOString(),
    verifiedAt: entry.verified_at === null ? undefined : new Date(entry.verified_at).toISOString(),
    account: entry.account === 'own' ? undefined : entry.account,
    accountSince: entry.account_since === null ? undefined : new Date(entry.account_since).toISOString(),
    reportId: entry.report_id,
    views: entry.views,
    proofs:
      entry.proofs === 'none'
        ? undefined
        : {
            private: entry.proofs === 'private',
            items: listProofItems(db, entry.row).map((item) => toItemRecord(item, folder)),
          },
  } satisfies Record<ImportedField, unknown>;
}

type EntryRecord = ReturnType<typeof toImportRecord>;
type OptionalField = {
  [Field in ImportedField]: undefined extends EntryRecord[Field] ? Field : never;
}[ImportedField];

/** The values that empty a field; an export leaves empty fields out. */
export const EMPTY_FIELDS = {
  proofs: { private: false, items: [] },
  verifiedAt: null,
  account: 'own',
  accountSince: null,
} satisfies Required<Pick<ImportRecordInput, OptionalField>>;

export const ERASED_FIELDS: Pick<typeof EMPTY_FIELDS, EmptiedField> = { proofs: EMPTY_FIELDS.proofs };

function toItemRecord({ text, url, caption, fileSha256, fileName }: ProofItem, folder: string | undefined) {
  const name = folder === undefined ? fileName : null;
  const file = fileSha256 === null ? undefined : (name ?? `${folder ?? ''}${fileSha256}`);
  return { text: text ?? undefined, url: url ?? undefined, file, caption: caption ?? undefined };
}
