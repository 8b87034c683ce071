import type { Database } from '#src/db/database.ts';
import type { ListKind } from '#src/entries/entry.ts';
import type { ImportRecordInput } from '#src/entries/import-record.ts';
import { makeRecord, NOW, prepareImport } from './make-entries.ts';

/** @returns what makes the import, which has no files, count */
export async function stageImport(
  db: Database,
  list: ListKind,
  records: readonly ImportRecordInput[],
): Promise<() => void> {
  const commit = await prepareImport(db, list, records, NOW + 1);
  return () => db.write(commit);
}

/** Records whose chat ID and report number follow from a number: the same in every database. */
export function numberedRecords(
  first: number,
  last: number,
  facts: (number: number) => Partial<ImportRecordInput> = () => ({}),
): ImportRecordInput[] {
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const number = first + index;
    return makeRecord({
      id: String(200_000_000_000_000_000n + BigInt(number)),
      reportId: `R-${String(number).padStart(10, '0')}`,
      name: `${'żółw zebra ćma Ósmy ą'.split(' ')[number % 5]} ${(number * 7919) % 1009}`,
      reason: `Powód ${number}.`,
      reportedAt: NOW - number * 1000,
      ...facts(number),
    });
  });
}

const STATE = {
  entries: `SELECT entries.*, NULL AS row, reason, card, json, (SELECT json_group_array(json_array(text, url, caption) ORDER BY position) FROM proof_items
        WHERE proof_items.row = entries.row) AS items
    FROM entries JOIN contents USING (row) LEFT JOIN published USING (row) ORDER BY list, entry_id`,
  changes: 'SELECT at, op, list, entry_id FROM changes ORDER BY list, entry_id, seq',
  tombstones: 'SELECT entry_id, report_id, list, removed_at, reason_code FROM tombstones ORDER BY entry_id',
  proofs: 'SELECT entry_id, at, proofs, items FROM proof_changes ORDER BY entry_id, change',
};

/** All that counts, without the numbers that differ between databases of the same contents. */
export function readState(db: Database): Record<string, unknown[]> {
  return db.read(() =>
    Object.fromEntries(Object.entries(STATE).map(([name, sql]) => [name, db.statement(sql).all()])),
  );
}
