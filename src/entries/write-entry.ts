/** Writes of one entry by an operator. Each checks, renders and writes its record the way an import does. */
import { setTimeout } from 'node:timers/promises';
import { readLogHead } from '../changes/change-log.ts';
import type { Database } from '../db/database.ts';
import { toNamedFiles, ProofStore, type NamedFiles } from '../proofs/store-proofs.ts';
import { readRemovedKey } from '../removals/removed-key.ts';
import { BadInputError, OperatorError } from '../operator-error.ts';
import type { ListKind } from './entry.ts';
import { WITHDRAWALS } from './entry-row.ts';
import { toImportRecord } from './export-records.ts';
import { findEntryRowByChatId, getEntryRow } from './find-entry-rows.ts';
import { listFileNames, parseImportRecord, type ImportRecordInput } from './import-record.ts';
import { findTombstone, removedError } from '../removals/tombstones.ts';
import { StagingSession, type LineProblem, type StagingOptions } from './staging-session.ts';
import { EntryChangedError } from './staging-tables.ts';

export interface ProofOptions extends Pick<StagingOptions, 'by' | 'refusedHosts'> {
  /** Bytes of files of proofs that have no path, by their name in the record. */
  readonly bytesByFileName?: ReadonlyMap<string, Buffer> | undefined;
}

interface AddOptions extends ProofOptions {
  readonly onNotice: (notice: Pick<LineProblem, 'problem'>) => void;
  /** Adds again what was removed. */
  readonly bringsBack?: boolean;
}

/**
 * Adds an entry with all its proofs in one transaction. An entry that is there is not changed.
 * @throws {OperatorError} `exists`, `removed`, or `invalid` with every problem of the record
 */
export async function addEntry(
  db: Database,
  list: ListKind,
  record: ImportRecordInput,
  { bytesByFileName, bringsBack = false, ...options }: AddOptions,
): Promise<void> {
  const { id, reportId: number } = record;
  const read = (): RecordToWrite => {
    const known = findEntryRowByChatId(db, list, id);
    if (known) {
      const { report_id: reportId } = known;
      const hint = '"proofs add" and "entry edit --append" add to it';
      const message = `${list} has an entry with the ID ${id} already: ${reportId}; ${hint}`;
      throw new OperatorError('exists', message, { reportId });
    }
    if (!bringsBack) refuseRemoved(db, list, id, number);
    return { record, named: toNamedFiles(listFileNames(record), bytesByFileName) };
  };
  using files = record.proofs && new ProofStore(db);
  await writeOneRecord(db, list, read, { ...options, files, retriesConflicts: true });
}

/** @throws {OperatorError} */
function refuseRemoved(db: Database, list: ListKind, id: string, number?: string): void {
  const tombstone = findTombstone(db, readRemovedKey(db.path), list, { id, reportId: number });
  if (!tombstone) return;
  const what = tombstone.isSameId ? id : number;
  throw removedError(`${what} was removed from ${tombstone.list}`, tombstone, '; --yes adds it again');
}

export interface EntryChange {
  /** Fields that are replaced. */
  readonly fields: Partial<ImportRecordInput>;
  /** Markdown, a new paragraph at the end of the reason. */
  readonly append?: string | undefined;
  /** Erases for good what is replaced. */
  readonly redacts?: boolean | undefined;
  readonly erasesNames?: boolean | undefined;
  /** Lists a removed ID again. */
  readonly bringsBack?: boolean | undefined;
}

/**
 * @param identifier chat ID, report number or `_id` of the entry
 * @returns its chat ID before the change, and now
 */
export async function changeEntry(
  db: Database,
  list: ListKind,
  identifier: string,
  { fields, append, redacts = false, erasesNames = redacts, bringsBack = false }: EntryChange,
  options: Pick<RecordOptions, 'by' | 'retriesConflicts' | 'onNotice'>,
): Promise<{ readonly previousId: string; readonly id: string }> {
  let previousId = identifier;
  let keptVerifiedAt: string | undefined;
  const read = (): RecordToWrite => {
    const row = getEntryRow(db, list, identifier);
    const { proofs: _kept, ...record } = toImportRecord(db, row);
    // The day on which it was confirmed is public, and stays the first one.
    keptVerifiedAt = fields.verified ? record.verifiedAt : undefined;
    const reason = [record.reason, append].filter(Boolean).join('\n\n');
    previousId = row.chat_id;
    const { id = previousId } = fields;
    if (!bringsBack && !findEntryRowByChatId(db, list, id)) refuseRemoved(db, list, id);
    const kept = keptVerifiedAt === undefined ? undefined : { verifiedAt: keptVerifiedAt };
    return { record: { ...record, reason, ...fields, ...kept }, previousId };
  };
  await writeOneRecord(db, list, read, {
    ...options,
    origin: redacts ? 'redaction' : 'edit',
    recordedWithdrawals: redacts ? WITHDRAWALS.filter((kind) => kind in fields) : [],
    formerNames: erasesNames ? 'erase' : 'add',
    erasesNotes: redacts,
  });
  if (keptVerifiedAt !== undefined)
    options.onNotice?.({ problem: `was verified already, since ${keptVerifiedAt}` });
  return { previousId, id: fields.id ?? previousId };
}

/** A record of the import format. */
interface RecordToWrite extends Pick<StagingOptions, 'previousId'> {
  readonly record: object;
  /** Files that the record names. */
  readonly named?: NamedFiles;
}

interface RecordOptions extends Partial<Omit<StagingOptions, 'previousId'>> {
  readonly onNotice?: (notice: Pick<LineProblem, 'problem'>) => void;
  /** Another's change does not alter what this one does, so it is tried again. */
  readonly retriesConflicts?: boolean;
}

/** Each failed try means that another change was written: of five writers that begin at once, none is refused. */
const TRIES_AGAIN = 4;
/** The pause is up to this and twice a try, so that writers that began at once come apart. */
const PAUSE_MS = 300;

/**
 * @param read reads what the record is made from; called before each try
 * @throws {BadInputError} with every problem of the record
 * @throws {OperatorError} `conflict` when the entry was changed after it was read
 */
export async function writeOneRecord(
  db: Database,
  list: ListKind,
  read: () => RecordToWrite,
  { retriesConflicts = false, onNotice = () => {}, ...options }: RecordOptions = {},
): Promise<void> {
  for (let left = retriesConflicts ? TRIES_AGAIN : 0; ; left -= 1) {
    const [startedAt, now] = [performance.now(), Date.now()];
    try {
      const { seq: comparedAtSeq } = readLogHead(db);
      const { record, named, previousId } = read();
      const checked = parseImportRecord(record, list);
      if (!checked.ok) throw refusal(checked.problems);
      const staging = { origin: 'edit', ...options, comparedAtSeq, previousId, now } as const;
      await using session = new StagingSession(db, list, staging);
      await session.add(checked.record, 1, named);
      await session.settle();
      session.notices.forEach(onNotice);
      if (session.problemCount > 0) throw refusal(session.problems);
      return void (await session.commit());
    } catch (error) {
      if (!(error instanceof EntryChangedError) || left === 0) throw error;
    }
    await setTimeout(Math.random() * (PAUSE_MS + 2 * (performance.now() - startedAt)));
  }
}

function refusal(problems: readonly { readonly field: string; readonly problem: string }[]): BadInputError {
  // Items count from one, as in `proofs show` and --item; a file of records has the place in its array.
  const counted = (field: string): string =>
    field.replace(/^proofs\.items\[(\d+)\]\.?/, (_, index) => `item ${Number(index) + 1}: `);
  return new BadInputError(problems.map(({ field, problem }) => `${counted(field)}: ${problem}`).join('\n'));
}
