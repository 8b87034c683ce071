import type { Database } from '../db/database.ts';
import type { ReplacedEntry } from '../changes/undo-file.ts';
import type { Withdrawal } from './entry-fields.ts';
import { toImportRecord, type ExportRow } from './export-records.ts';

const LARGEST = 10;

export interface StagedChange {
  readonly id: string;
  readonly name: string;
  readonly fields: readonly string[];
  readonly before: number | null;
  readonly after: number | null;
}

export interface StagedSummary {
  readonly fields: Readonly<Record<string, number>>;
  readonly largest: readonly StagedChange[];
  /** Parts that an operator withdrew for good and the staged changes write again. */
  readonly withdrawn: readonly WithdrawnPart[];
  /** Entries that become hijacked. */
  readonly hijacked: number;
}

export interface WithdrawnPart {
  readonly id: string;
  readonly what: Withdrawal;
  readonly at: number;
}

// Kysely does not know temporary tables.
const FIELDS = 'SELECT fields, count(*) AS count FROM temp.staged WHERE row IS NOT NULL GROUP BY fields';
const LARGEST_CHANGES = `SELECT id, name, fields, iif(isReason, before, NULL) AS before, iif(isReason, after, NULL) AS after
  FROM (SELECT chat_id AS id, name, fields, fields LIKE '%reason%' AS isReason, length(contents.reason) AS before,
      length(staged_texts.reason) AS after
    FROM temp.staged JOIN temp.staged_texts USING (staged_id) JOIN contents USING (row))
  ORDER BY coalesce(max(before, after), 0) DESC, length(fields) DESC LIMIT ${LARGEST}`;
const WITHDRAWN = `SELECT chat_id AS id, what, max(at) AS at FROM temp.staged JOIN removals USING (entry_id)
  WHERE row IS NOT NULL AND CASE what
    WHEN 'private' THEN staged.proofs = 'public'
    WHEN 'proofs' THEN staged.proofs <> 'none' AND fields LIKE '%proofs%'
    ELSE instr(' ' || fields || ' ', ' ' || what || ' ') END
  GROUP BY staged_id, what ORDER BY staged_id, what`;
const HIJACKED = `SELECT count(*) FROM temp.staged LEFT JOIN entries USING (row)
  WHERE staged.account = 'hijacked' AND entries.account IS NOT 'hijacked'`;
const REPLACED_ROWS = `SELECT entries.*, contents.reason FROM temp.staged JOIN entries USING (row) JOIN contents USING (row)
  ORDER BY staged.row`;

export function summarizeStaged(db: Database): StagedSummary {
  const fields: Record<string, number> = {};
  for (const row of db.statement<{ fields: string; count: number }>(FIELDS).all())
    for (const field of row.fields.split(' ')) fields[field] = (fields[field] ?? 0) + row.count;
  const largest = db
    .statement<Omit<StagedChange, 'fields'> & { fields: string }>(LARGEST_CHANGES)
    .all()
    .map((change) => ({ ...change, fields: change.fields.split(' ') }));
  const hijacked = db.statement<number>(HIJACKED).pluck().get() ?? 0;
  return { fields, largest, withdrawn: db.statement<WithdrawnPart>(WITHDRAWN).all(), hijacked };
}

export function* listStagedBefore(db: Database): Generator<ReplacedEntry> {
  for (const row of db.statement<ExportRow>(REPLACED_ROWS).iterate()) {
    const files: Record<string, string | null> = {};
    const record = toImportRecord(db, row, ({ fileSha256, fileName }) => {
      if (fileSha256 === null) return undefined;
      files[fileSha256] = fileName;
      return fileSha256;
    });
    yield { entryId: row.entry_id, record: JSON.stringify(record), files };
  }
}
