import { setTimeout } from 'node:timers/promises';
import { readLogHead } from '../changes/log-head.ts';
import type { Database, Transaction } from '../db/database.ts';
import { storeProofs, type ProofFileKeeper } from '../proofs/keep-proof-files.ts';
import { createMarkdownRenderer } from '../text/markdown-renderer.ts';
import { BadInputError } from '../verb-error.ts';
import type { ListKind } from './entry.ts';
import { parseImportRecord } from './import-record.ts';
import { StagingSession, type LineProblem, type StagingOptions } from './staging-session.ts';
import { EntryChangedError } from './staging-tables.ts';

/** A record of the import format. */
interface RecordToWrite extends Pick<StagingOptions, 'storedId'> {
  readonly record: object;
}

interface RecordOptions extends Pick<
  StagingOptions,
  'by' | 'how' | 'withdraws' | 'formerNames' | 'erasesNotes' | 'refusedHosts'
> {
  readonly onNotice?: (notice: LineProblem) => void;
  /** Another's change does not alter what this one does, so it is tried again. */
  readonly isRepeatable?: boolean;
  /** Runs first in the transaction of the write, which is taken back when this throws, and may run again. */
  readonly checkFirst?: () => void;
  /** Files that the record names. */
  readonly files?: ProofFileKeeper;
}

const TRIES_AGAIN = 3;
/** The pause is up to this and twice a try, so that writers that began at once come apart. */
const PAUSE_MS = 300;

/**
 * Checks, renders and writes one record the way an import does.
 * @param read reads what the record is made from; called before each try
 * @throws {BadInputError} with every problem of the record
 * @throws {EntryChangedError} when the entry was changed after it was read
 */
export async function writeOneRecord(
  db: Database,
  list: ListKind,
  read: () => RecordToWrite,
  { isRepeatable = false, onNotice = () => {}, checkFirst = () => {}, files, ...options }: RecordOptions = {},
): Promise<void> {
  const renderer = createMarkdownRenderer();
  const write = async (): Promise<void> => {
    const { seq: comparedSeq } = readLogHead(db);
    const { record, storedId } = read();
    const checked = parseImportRecord(record, list);
    if (!checked.ok) throw refusal(checked.problems);
    await using session = new StagingSession(db, list, {
      renderer,
      storedId,
      comparedSeq,
      now: Date.now(),
      how: 'edit',
      ...options,
    });
    await session.add(checked.record, 1, await storeProofs(checked.record, files));
    await session.settle();
    session.notices.forEach(onNotice);
    if (session.problemCount > 0) throw refusal(session.problems);
    const commit = (tx: Transaction): void => {
      checkFirst();
      session.commit(tx);
    };
    await (files ?? db).write(commit);
  };
  try {
    for (let left = isRepeatable ? TRIES_AGAIN : 0; ; left -= 1) {
      const startedAt = performance.now();
      try {
        return await write();
      } catch (error) {
        if (!(error instanceof EntryChangedError) || left === 0) throw error;
      }
      await setTimeout(Math.random() * (PAUSE_MS + 2 * (performance.now() - startedAt)));
    }
  } finally {
    await renderer.close();
  }
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
