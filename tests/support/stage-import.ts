/** An import up to the moment before it counts, and what counts in a database, as it can be compared with another. */
import { dirname } from 'node:path';
import type { Database } from '#src/db/database.ts';
import type { YieldLock } from '#src/db/yield-write-lock.ts';
import type { ListKind } from '#src/entries/entry.ts';
import { parseImportRecord } from '#src/entries/import-record.ts';
import type { ImportRecordInput } from '#src/entries/import-record.ts';
import { createImportSession } from '#src/entries/import-session.ts';
import { createProofFileKeeper } from '#src/proofs/keep-proof-files.ts';
import { createMarkdownRenderer } from '#src/text/markdown-renderer.ts';
import { makeRecord, NOW } from './make-entries.ts';

/** @returns what makes the import count */
export async function stageImport(
  db: Database,
  list: ListKind,
  records: readonly ImportRecordInput[],
  yieldLock: YieldLock,
): Promise<() => void> {
  const renderer = createMarkdownRenderer();
  const files = createProofFileKeeper(db, dirname(db.path));
  try {
    const session = createImportSession(db, list, {
      renderer,
      storeFile: (name, isPublic) => files.keep(name, isPublic),
      onProblem: (problem) => {
        throw new Error(JSON.stringify(problem));
      },
      onNotice: () => {},
      now: NOW + 1,
      yieldLock,
    });
    for (const [index, record] of records.entries()) {
      const checked = parseImportRecord(record, list);
      if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
      await session.add(checked.record, index + 1);
    }
    await session.settle();
    return () => session.commit();
  } finally {
    await renderer.close();
    await files.finish();
  }
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
  entries: `SELECT list, entry_id, report_id, proofs_id, proofs, chat_id, name, verified, reported_at, updated_at, views,
      reason, desc_html, (SELECT json_group_array(json_array(text, url, caption) ORDER BY position) FROM proof_items
        WHERE proof_items.content = entries.content) AS items
    FROM entries JOIN contents USING (content) ORDER BY list, entry_id`,
  changes: 'SELECT at, op, list, entry_id FROM changes ORDER BY list, entry_id, seq',
  tombstones: 'SELECT * FROM tombstones ORDER BY entry_id',
  proofs: 'SELECT entry_id, at, proofs, items FROM proof_changes ORDER BY entry_id, change',
};

/** All that counts, without the numbers that differ between databases of the same contents. */
export function readState(db: Database): Record<string, unknown[]> {
  return db.snapshot(() =>
    Object.fromEntries(Object.entries(STATE).map(([name, sql]) => [name, db.statement(sql).all()])),
  );
}
