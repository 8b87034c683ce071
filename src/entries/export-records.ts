import { sqlBuilder, type Database } from '../db/database.ts';
import { listProofItems, type ProofItem } from './contents.ts';
import type { ListKind } from './entry.ts';
import type { ImportRecordInput } from './import-record.ts';
import type { EntryRow } from './entry-row.ts';

export type ExportRow = EntryRow & { reason: string };

type NameFile = (item: ProofItem) => string | undefined;

const PAGE_ROWS = 500;

export const selectRecords = sqlBuilder
  .selectFrom('entries')
  .innerJoin('contents', 'contents.row', 'entries.row')
  .selectAll('entries')
  .select('reason');

export function* exportRecords(
  db: Database,
  list: ListKind,
  nameFile: NameFile,
): Generator<ImportRecordInput> {
  for (let after = 0; ;) {
    const rows = db.all(
      selectRecords
        .where('list', '=', list)
        .where('entries.row', '>', after)
        .orderBy('entries.row')
        .limit(PAGE_ROWS),
    );
    for (const row of rows) yield toImportRecord(db, row, nameFile);
    if (rows.length < PAGE_ROWS) return;
    after = rows.at(-1)?.row ?? after;
  }
}

export function toImportRecord(db: Database, row: ExportRow, nameFile: NameFile): ImportRecordInput {
  return {
    id: row.chat_id,
    name: row.name,
    reason: row.reason,
    verified: row.verified === 1,
    reportedAt: new Date(row.reported_at).toISOString(),
    reportId: row.report_id,
    views: row.views,
    ...(row.proofs !== 'none' && {
      proofs: {
        private: row.proofs === 'private',
        items: listProofItems(db, row.row).flatMap((item) => toItemRecord(item, nameFile)),
      },
    }),
  };
}

function toItemRecord(item: ProofItem, nameFile: NameFile) {
  const file = item.fileSha256 === null ? undefined : nameFile(item);
  const { text, url, caption } = item;
  if (text === null && url === null && file === undefined) return [];
  return [{ text: text ?? undefined, url: url ?? undefined, file, caption: caption ?? undefined }];
}
