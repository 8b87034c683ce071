import type { Database } from '../db/database.ts';
import type { ListKind } from './entry.ts';
import { WITHDRAWALS } from './entry-fields.ts';
import { toImportRecord } from './export-records.ts';
import { getRow } from './find-rows.ts';
import type { ImportRecordInput } from './import-record.ts';
import { writeOneRecord } from './write-one-record.ts';

export interface EntryChange {
  /** Fields that are replaced. */
  readonly fields: Partial<ImportRecordInput>;
  /** Markdown, a new paragraph at the end of the reason. */
  readonly append?: string | undefined;
  /** Erases for good what is replaced. */
  readonly redacts?: boolean | undefined;
  readonly forgetsNames?: boolean | undefined;
}

interface ChangeOptions {
  readonly by?: string | undefined;
  /** Another's change does not alter what this one does, so it is tried again. */
  readonly isRepeatable?: boolean;
}

/**
 * @param name chat ID, report number or `_id` of the entry
 * @returns its chat ID before the change, and now
 */
export async function changeEntry(
  db: Database,
  list: ListKind,
  name: string,
  { fields, append, redacts = false, forgetsNames = redacts }: EntryChange,
  options: ChangeOptions,
): Promise<{ readonly idBefore: string; readonly id: string }> {
  let idBefore = name;
  const read = () => {
    const row = getRow(db, list, name);
    const { proofs: _kept, ...record } = toImportRecord(db, row, () => undefined);
    const reason = [record.reason, append].filter(Boolean).join('\n\n');
    idBefore = row.chat_id;
    return { record: { ...record, reason, ...fields }, storedId: idBefore };
  };
  await writeOneRecord(db, list, read, {
    ...options,
    how: redacts ? 'redaction' : 'edit',
    withdraws: redacts ? WITHDRAWALS.filter((kind) => kind in fields) : [],
    formerNames: forgetsNames ? 'erase' : 'add',
    erasesNotes: redacts,
  });
  return { idBefore, id: fields.id ?? idBefore };
}
