/** An entry as the operator's verbs show it. */
import type { Database } from '../db/database.ts';
import type { AppealBody, ListKind } from '../entries/entry.ts';
import { findAppeal } from '../entries/appeals.ts';
import { toImportRecord } from '../entries/export-records.ts';
import { getRow } from '../entries/find-rows.ts';
import { formerNamesOf } from '../entries/former-names.ts';
import { toAppealBody } from '../entries/published.ts';
import { print, type Cli } from './console/cli.ts';
import { readHistory } from './entry-history.ts';

export function describeEntry(db: Database, list: ListKind, id: string) {
  const row = getRow(db, list, id);
  return {
    list,
    _id: row.entry_id,
    proofsId: row.proofs_id,
    ...toImportRecord(db, row),
    appeal: toAppealBody(findAppeal(db, row.row)),
    formerNames: formerNamesOf(db, row.entry_id),
    updatedAt: new Date(row.updated_at).toISOString(),
    history: readHistory(db, row.entry_id),
  };
}

export function formatAppeal(appeal: AppealBody | null): string {
  if (!appeal) return 'no appeal';
  const { openedAt, decidedAt, note } = appeal;
  const what = decidedAt === null ? 'open' : `upheld ${decidedAt}: ${note ?? '(redacted)'}`;
  return `appeal from ${openedAt}, ${what}`;
}

export function printEntry(cli: Cli, db: Database, list: ListKind, id: string): void {
  const entry = describeEntry(db, list, id);
  const mark = `${entry.verified ? 'verified' : 'risk'}${entry.account ? `, ${entry.account}` : ''}`;
  print(cli, entry, `${list}: ${entry.name} (${entry.id}), ${mark}, report ${entry.reportId}`);
}
