/** Builders: a test names only what matters to it. */
import { dirname, join } from 'node:path';
import type { Database } from '#src/db/database.ts';
import type { ListKind } from '#src/entries/entry.ts';
import { parseImportRecord } from '#src/entries/import-record.ts';
import type { ImportRecordInput } from '#src/entries/import-record.ts';
import { createImportSession } from '#src/entries/import-session.ts';
import { createProofFileKeeper } from '#src/proofs/keep-proof-files.ts';
import { createMarkdownRenderer } from '#src/text/markdown-renderer.ts';
import type { MarkdownRenderer } from '#src/text/markdown-renderer.ts';

export const NOW = Date.parse('2026-11-20T12:00:00Z');

let made = 0;

/** A record that is valid and like no other. */
export function makeRecord(facts: Partial<ImportRecordInput> = {}): ImportRecordInput {
  made += 1;
  return {
    id: String(100_000_000_000_000_000n + BigInt(made)),
    name: `nick ${made}`,
    reason: `Powód ${made}.`,
    verified: true,
    reportedAt: NOW - made * 1000,
    ...facts,
  };
}

/**
 * Brings records into a list the way an import does.
 * @param sharedRenderer for many imports one after the other; its threads take a while to start
 */
export async function importRecords(
  db: Database,
  list: ListKind,
  records: Iterable<ImportRecordInput>,
  now = NOW,
  /** Where the files of proofs are. */
  folder?: string,
  sharedRenderer?: MarkdownRenderer,
): Promise<void> {
  const renderer = sharedRenderer ?? createMarkdownRenderer();
  const files = createProofFileKeeper(db, dirname(db.path));
  try {
    const session = createImportSession(db, list, {
      renderer,
      storeFile: (name, isPublic) => files.keep(join(folder ?? '', name), isPublic),
      onProblem: ({ line, field, problem }) => {
        throw new Error(`record ${line}: ${field}: ${problem}`);
      },
      onNotice: () => {},
      now,
    });
    let line = 0;
    for (const record of records) {
      const checked = parseImportRecord(record, list);
      if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
      line += 1;
      await session.add(checked.record, line);
    }
    await session.settle();
    session.commit();
  } finally {
    if (!sharedRenderer) await renderer.close();
    await files.finish();
  }
}
