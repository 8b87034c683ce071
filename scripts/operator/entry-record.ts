/** One entry as a record of the import format: how the verbs `entry` and `proofs` read it and write it back. */
import type { Database } from '#src/db/database.ts';
import type { ListKind } from '#src/entries/entry.ts';
import { parseImportRecord } from '#src/entries/import-record.ts';
import { createImportSession } from '#src/entries/import-session.ts';
import type { ImportOptions, ImportProblem } from '#src/entries/import-session.ts';
import type { EntryRow } from '#src/entries/entry-row.ts';
import { createMarkdownRenderer } from '#src/text/markdown-renderer.ts';
import { BadInputError } from './outcome.ts';

/** What a verb about one entry is told. */
export interface Target {
  list: ListKind;
  json?: boolean;
}

export type RowWithReason = EntryRow & { reason: string };

/** @throws {BadInputError} when the list has no such entry */
export function getRow(db: Database, list: ListKind, id: string): RowWithReason {
  const row = db
    .statement<RowWithReason>(
      `SELECT entries.*, contents.reason FROM entries JOIN contents USING (row) WHERE chat_id = ? AND list = ?`,
    )
    .get(id, list);
  if (!row) throw new BadInputError(`${list} has no entry with the ID ${id}`);
  return row;
}

/**
 * Checks, renders and writes one record the way an import does.
 * @throws {BadInputError} with every problem of the record
 */
export async function writeRecord(
  db: Database,
  list: ListKind,
  record: object,
  storeFile: ImportOptions['storeFile'] = noFiles,
): Promise<void> {
  const checked = parseImportRecord(record, list);
  if (!checked.ok) throw refusal(checked.problems);
  const problems: ImportProblem[] = [];
  const renderer = createMarkdownRenderer();
  try {
    const session = createImportSession(db, list, {
      renderer,
      storeFile,
      onProblem: (problem) => problems.push(problem),
      onNotice: () => {},
      now: Date.now(),
    });
    await session.add(checked.record, 1);
    await session.settle();
    if (problems.length > 0) {
      await session.discard();
      throw refusal(problems);
    }
    session.commit();
  } finally {
    await renderer.close();
  }
}

function noFiles(): ReturnType<ImportOptions['storeFile']> {
  return Promise.resolve({ ok: false, problem: 'files are added with the verb proofs' });
}

function refusal(problems: readonly { readonly field: string; readonly problem: string }[]): BadInputError {
  return new BadInputError(
    problems.map(({ field, problem }) => `${countedFromOne(field)}: ${problem}`).join('\n'),
  );
}

/** As `proofs show` and --item count; a file of records has the place in its array. */
function countedFromOne(field: string): string {
  return field.replace(/^proofs\.items\[(\d+)\]\.?/, (_, index) => `item ${Number(index) + 1}: `);
}
