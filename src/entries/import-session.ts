/** Records are compared, rendered and staged while others read; one transaction commits them. */
import { readLastChange } from '../changes/append-change.ts';
import { hashRemovedId, readRemovedKey } from '../changes/removed-key.ts';
import type { Database } from '../db/database.ts';
import type { MarkdownRenderer } from '../text/markdown-renderer.ts';
import { findHtml, getReason, listProofItems, sameProofs, type ProofItem } from './contents.ts';
import type { ListKind } from './entry.ts';
import type { EntryRow, FormerNames } from './entry-row.ts';
import { formerNamesOf } from './former-names.ts';
import { generateUnusedReportId, findRemoval, findReportIdOwner } from './report-numbers.ts';
import { proofsState, toProofItems, type GivenProofs, type StoredFile } from './import-proofs.ts';
import type { ImportRecord } from './import-record.ts';
import { findRow } from './write-entries.ts';
import { createStaging, stageEntry, writeStagedEntries, type HowChanged } from './write-staged-entries.ts';

const BATCH_RECORDS = 400;
const BATCHES_IN_FLIGHT = 3;

export interface ImportCounts {
  added: number;
  updated: number;
  unchanged: number;
  rejected: number;
  returned: number;
}

export interface ImportProblem {
  readonly line: number;
  readonly field: string;
  readonly problem: string;
}

export interface ImportOptions {
  readonly renderer: MarkdownRenderer;
  readonly storeFile: (name: string, isPublic: boolean) => Promise<StoredFile>;
  readonly onProblem: (problem: ImportProblem) => void;
  readonly onNotice: (notice: ImportProblem) => void;
  readonly now: number;
  readonly by?: string | undefined;
  readonly how?: HowChanged;
  /** Chat ID of the entry that the only record changes, if the record has another chat ID. */
  readonly storedId?: string | undefined;
  readonly erasesReplaced?: boolean;
  readonly formerNames?: FormerNames;
}

export type ImportSession = ReturnType<typeof createImportSession>;

interface Prepared {
  readonly record: ImportRecord;
  readonly line: number;
  readonly given: GivenProofs | undefined;
}

interface Candidate {
  readonly record: ImportRecord;
  readonly line: number;
  readonly before: EntryRow | undefined;
  readonly proofItems: readonly ProofItem[];
  readonly needsContent: boolean;
}

/** A connection has one import at a time, because the staging tables belong to it. */
export function createImportSession(db: Database, list: ListKind, options: ImportOptions) {
  const {
    renderer,
    storeFile,
    onProblem,
    onNotice,
    now,
    by,
    how,
    storedId,
    erasesReplaced = false,
  } = options;
  const { formerNames = 'add' } = options;
  const counts: ImportCounts = { added: 0, updated: 0, unchanged: 0, rejected: 0, returned: 0 };
  const preparedAt = readLastChange(db, list);
  const lines = new Map<string, number>();
  const reportIds = new Set<string>();
  let batch: { record: ImportRecord; line: number }[] = [];
  const inFlight: Promise<void>[] = [];
  const removedKey = readRemovedKey(db.path);
  const hashId = (id: string) => removedKey && hashRemovedId(removedKey, list, id);
  const forgetsNames = ({ entry_id: entryId }: EntryRow) =>
    formerNames === 'erase' && formerNamesOf(db, entryId).length > 0;
  let isOver = false;
  createStaging(db);

  const reject = (problems: readonly ImportProblem[]): void => {
    counts.rejected += 1;
    for (const problem of problems) onProblem(problem);
  };

  const compare = ({ record, line, given }: Prepared): Candidate | undefined => {
    const refuse = (field: string, problem: string): undefined =>
      reject([{ line, field, problem }]) as undefined;
    const first = lines.get(record.id);
    if (first !== undefined) return refuse('id', `is in the input twice; the first is in line ${first}`);
    lines.set(record.id, line);
    const row = findRow(db, list, storedId ?? record.id);
    if (storedId !== undefined && storedId !== record.id && findRow(db, list, record.id))
      return refuse('id', `${record.id} has an entry in ${list} already`);
    if (record.reportId !== undefined && record.reportId !== row?.report_id) {
      if (row) {
        const notice = `stays ${row.report_id}: the report number of an entry never changes`;
        onNotice({ line, field: 'reportId', problem: notice });
      } else {
        const taken = reportIds.has(record.reportId)
          ? 'is in the input twice'
          : findReportIdOwner(db, list, record.reportId);
        if (taken) return refuse('reportId', `${record.reportId} ${taken}; report numbers are unique`);
        reportIds.add(record.reportId);
      }
    }
    if (given && 'problem' in given) return refuse(given.field, given.problem);
    const stored = row ? listProofItems(db, row.row) : [];
    const proofItems = given?.items ?? stored;
    const isShown = row && getReason(db, row.row) === record.reason && findHtml(db, row.row) !== undefined;
    const needsContent = !isShown || !sameProofs(stored, proofItems);
    if (row && !needsContent && hasSameFields(row, record) && !forgetsNames(row)) {
      counts.unchanged += 1;
      return undefined;
    }
    return { record, line, before: row, proofItems, needsContent };
  };

  const stage = (candidate: Candidate, rendered: ReadonlyMap<string, string>): void => {
    const { record, before, line } = candidate;
    const reportId = before ? undefined : record.reportId;
    const hasNewId = before?.chat_id !== record.id;
    const removal = hasNewId ? findRemoval(db, hashId(record.id), reportId) : undefined;
    if (removal) {
      counts.returned += 1;
      const day = new Date(removal.at).toISOString().slice(0, 10);
      const problem = `${reportId ?? record.id} was removed before (${removal.reason}, ${day}) and comes back`;
      onNotice({ line, field: reportId === undefined ? 'id' : 'reportId', problem });
    }
    const content = candidate.needsContent
      ? {
          reason: record.reason,
          descHtml: rendered.get(record.reason) ?? '',
          proofItems: candidate.proofItems.map((item) => ({
            ...item,
            textHtml: item.text === null ? null : (rendered.get(item.text) ?? ''),
          })),
        }
      : undefined;
    const write = {
      chatId: record.id,
      name: record.name,
      verified: record.verified,
      reportedAt: record.reportedAt ?? before?.reported_at ?? now,
      views: record.views,
      proofs: proofsState(record, before),
      reportId: before?.report_id ?? record.reportId ?? generateUnusedReportId(db),
      content,
      erasesReplaced,
      formerNames,
    };
    stageEntry(db, list, write, before, now);
    if (before) counts.updated += 1;
    else counts.added += 1;
  };

  const flush = async (): Promise<void> => {
    const records = batch;
    batch = [];
    const prepared: Prepared[] = [];
    for (const { record, line } of records) {
      const given = record.proofs && (await toProofItems(record.proofs, storeFile));
      prepared.push({ record, line, given });
    }
    const candidates = db.read(() => prepared.map(compare).filter((candidate) => candidate !== undefined));
    const unrendered = candidates.filter(({ needsContent }) => needsContent);
    const sources = [
      ...new Set(
        unrendered.flatMap(({ record, proofItems }) => [
          record.reason,
          ...proofItems.flatMap(({ text }) => text ?? []),
        ]),
      ),
    ];
    const staging = renderer.render(sources).then((results) => {
      const rendered = new Map<string, string>();
      const failed = new Map<string, string>();
      for (const [index, result] of results.entries()) {
        const source = sources[index] as string;
        if (result.ok) rendered.set(source, result.html);
        else failed.set(source, result.problem);
      }
      if (isOver) return;
      db.read(() => {
        for (const candidate of candidates) {
          const problems = candidate.needsContent ? markdownProblems(candidate, failed) : [];
          if (problems.length > 0) reject(problems);
          else stage(candidate, rendered);
        }
      });
    });
    // An unhandled rejection would end the process.
    staging.catch(() => {});
    inFlight.push(staging);
    if (inFlight.length >= BATCHES_IN_FLIGHT) await inFlight.shift();
  };

  return {
    counts: counts as Readonly<ImportCounts>,
    reject,
    async add(record: ImportRecord, line: number): Promise<void> {
      batch.push({ record, line });
      if (batch.length >= BATCH_RECORDS) await flush();
    },
    /** Resolves when all records are staged and all problems known. */
    async settle(): Promise<void> {
      if (batch.length > 0) await flush();
      await Promise.all(inFlight);
      inFlight.length = 0;
    },
    /** Commits after settle. @throws {EntryChangedError} and changes nothing */
    commit: (): void => writeStagedEntries(db, list, { preparedAt, now, by, how }),
    async discard(): Promise<void> {
      isOver = true;
      await Promise.allSettled(inFlight);
    },
  };
}

function markdownProblems(candidate: Candidate, failed: ReadonlyMap<string, string>): ImportProblem[] {
  const problems: ImportProblem[] = [];
  const look = (field: string, source: string | null): void => {
    const problem = source === null ? undefined : failed.get(source);
    if (problem !== undefined) problems.push({ line: candidate.line, field, problem });
  };
  look('reason', candidate.record.reason);
  for (const [index, item] of candidate.proofItems.entries()) look(`proofs.items[${index}].text`, item.text);
  return problems;
}

function hasSameFields(before: EntryRow, record: ImportRecord): boolean {
  return (
    before.chat_id === record.id &&
    before.name === record.name &&
    before.verified === (record.verified ? 1 : 0) &&
    before.reported_at === (record.reportedAt ?? before.reported_at) &&
    before.views === (record.views ?? before.views) &&
    before.proofs === proofsState(record, before)
  );
}
