/**
 * Bringing records into a list. Records are compared, rendered and their texts stored while nobody notices; one
 * transaction at the end makes them count. Ended at any moment before that, the list is as it was.
 */
import { readLastChange } from '../changes/append-change.ts';
import type { Database } from '../db/database.ts';
import { assertRoom } from '../db/disk-room.ts';
import { createYieldLock } from '../db/yield-write-lock.ts';
import type { YieldLock } from '../db/yield-write-lock.ts';
import { truncateWal } from '../db/truncate-wal.ts';
import type { MarkdownRenderer } from '../text/markdown-renderer.ts';
import { deleteContents, findReason, insertContent, listProofItems, sameProofs } from './contents.ts';
import type { ProofItem } from './contents.ts';
import type { ListKind } from './entry.ts';
import {
  claimChatId,
  createClaims,
  drawFreeReportId,
  findRemoval,
  findReportIdOwner,
  reserveReportId,
} from './import-claims.ts';
import { proofsState, toProofItems } from './import-proofs.ts';
import type { GivenProofs, StoredFile } from './import-proofs.ts';
import type { ImportRecord } from './import-record.ts';
import { findRow } from './write-entries.ts';
import type { EntryRow } from './entry-row.ts';
import { createStaging, stageEntry, writeStagedEntries } from './write-staged-entries.ts';
import type { EntryBefore } from './write-staged-entries.ts';

/** Records that are rendered and stored together. */
const BATCH_RECORDS = 400;
/** Batches being rendered while the next one is read. */
const BATCHES_IN_FLIGHT = 3;
/** Of a character of a text, with what pages leave empty. */
const BYTES_STORED = 2;
/** Stay free on the disk while texts are stored: to delete them again takes room too, the more the more they are. */
const SPARE_MIN_BYTES = 1024 * 1024;
const SPARE_MAX_BYTES = 8 * 1024 * 1024;

export interface ImportCounts {
  added: number;
  updated: number;
  unchanged: number;
  rejected: number;
  /** Of those added, entries that were removed before, as their report numbers tell. */
  returned: number;
}

export interface ImportProblem {
  /** Line of the record's first character in the input. */
  readonly line: number;
  readonly field: string;
  readonly problem: string;
}

export interface ImportOptions {
  readonly renderer: MarkdownRenderer;
  /** Checks a proof's file, keeps its bytes and says what they are known by. */
  readonly storeFile: (name: string, isPublic: boolean) => Promise<StoredFile>;
  readonly onProblem: (problem: ImportProblem) => void;
  /** Something an operator may want to know, which is no mistake. */
  readonly onNotice: (notice: ImportProblem) => void;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Called between the short transactions of a large import; by default others that wait for the lock get it. */
  readonly yieldLock?: YieldLock;
}

export interface ImportSession {
  readonly counts: Readonly<ImportCounts>;
  /** Takes one record; resolves when there is room for the next. */
  add(record: ImportRecord, line: number): Promise<void>;
  /** Counts a record that could not even be read. */
  reject(problems: readonly ImportProblem[]): void;
  /** Resolves when everything taken is compared, rendered and stored: all problems are known then. */
  settle(): Promise<void>;
  /** Makes all that was taken count; after settle. @throws {ListChangedError} and leaves the list as it was */
  commit(): void;
  /**
   * Leaves the list as it was and removes the texts that were stored, at any moment before commit and after whatever
   * failed; more than once does no harm.
   * @returns whether they are removed; else the worker does that within eight hours
   */
  discard(): Promise<boolean>;
}

interface Prepared {
  readonly record: ImportRecord;
  readonly line: number;
  /** Undefined when the record says nothing about proofs. */
  readonly given: GivenProofs | undefined;
}

interface Candidate {
  readonly record: ImportRecord;
  readonly line: number;
  readonly before: EntryBefore | undefined;
  /** The stored proofs when the record says nothing about them. */
  readonly proofItems: readonly ProofItem[];
  /** False when the stored texts can stay. */
  readonly needsContent: boolean;
}

/** One import at a time and connection: the staging table belongs to the connection. */
export function createImportSession(db: Database, list: ListKind, options: ImportOptions): ImportSession {
  const { renderer, storeFile, onProblem, onNotice, now, yieldLock = createYieldLock() } = options;
  const counts: ImportCounts = { added: 0, updated: 0, unchanged: 0, rejected: 0, returned: 0 };
  const preparedAt = readLastChange(db, list);
  let batch: { record: ImportRecord; line: number }[] = [];
  const inFlight: Promise<void>[] = [];
  /** Contents that were stored. Known without the temporary tables, which nobody can read once their disk is full. */
  const stored: number[] = [];
  let storedBytes = 0;
  let isOver = false;
  /** Whether the texts stored are entries' now, or removed. Never removed twice: others may have their numbers by then. */
  let isSettled = false;
  let isLeft = false;
  createStaging(db);
  createClaims(db);
  // What is staged is worth nothing after a power cut: waiting for the disk would only cost time.
  db.connection.pragma('synchronous = NORMAL');

  const reject = (problems: readonly ImportProblem[]): void => {
    counts.rejected += 1;
    for (const problem of problems) onProblem(problem);
  };

  /** Undefined when the record is rejected or changes nothing. */
  const compare = ({ record, line, given }: Prepared): Candidate | undefined => {
    const refuse = (field: string, problem: string): undefined =>
      reject([{ line, field, problem }]) as undefined;
    const first = claimChatId(db, record.id, line);
    if (first !== undefined) return refuse('id', `is in the input twice; the first is in line ${first}`);
    const row = findRow(db, list, record.id);
    if (record.reportId !== undefined && record.reportId !== row?.report_id) {
      if (row) {
        const notice = `stays ${row.report_id}: the report number of an entry never changes`;
        onNotice({ line, field: 'reportId', problem: notice });
      } else {
        const taken = findReportIdOwner(db, list, record.reportId);
        if (taken) return refuse('reportId', `${record.reportId} ${taken}; report numbers are unique`);
        reserveReportId(db, record.reportId);
      }
    }
    if (given && 'problem' in given) return refuse(given.field, given.problem);
    const before = row && { row, proofItems: listProofItems(db, row.content) };
    const stored = before?.proofItems ?? [];
    const proofItems = given?.items ?? stored;
    const reasonChanged = !row || findReason(db, row.content) !== record.reason;
    const needsContent = reasonChanged || !sameProofs(stored, proofItems);
    if (row && !needsContent && sameFacts(row, record)) {
      counts.unchanged += 1;
      return undefined;
    }
    return { record, line, before, proofItems, needsContent };
  };

  /** @returns the number of its content */
  const store = (candidate: Candidate, rendered: ReadonlyMap<string, string>): number => {
    const { record, before, line } = candidate;
    const removal = before ? undefined : findRemoval(db, record.reportId);
    if (removal) {
      counts.returned += 1;
      const day = new Date(removal.at).toISOString().slice(0, 10);
      const problem = `${record.reportId} was removed before (${removal.reason}, ${day}) and comes back`;
      onNotice({ line, field: 'reportId', problem });
    }
    const content = candidate.needsContent
      ? insertContent(db, {
          reason: record.reason,
          descHtml: rendered.get(record.reason) ?? '',
          proofItems: candidate.proofItems.map((item) => ({
            ...item,
            textHtml: item.text === null ? null : (rendered.get(item.text) ?? ''),
          })),
        })
      : (before as EntryBefore).row.content;
    const write = {
      chatId: record.id,
      name: record.name,
      verified: record.verified,
      reportedAt: record.reportedAt ?? before?.row.reported_at ?? now,
      views: record.views,
      proofs: proofsState(record, before?.row),
      reportId: before?.row.report_id ?? record.reportId ?? drawFreeReportId(db),
      content,
    };
    stageEntry(db, write, candidate.proofItems, before);
    if (before) counts.updated += 1;
    else counts.added += 1;
    return content;
  };

  /** Rendering starts at once; what comes after waits for it. */
  const flush = async (): Promise<void> => {
    const records = batch;
    batch = [];
    const prepared: Prepared[] = [];
    for (const { record, line } of records) {
      const given = record.proofs && (await toProofItems(record.proofs, storeFile));
      prepared.push({ record, line, given });
    }
    // One transaction for the batch: the staging tables are written, the lists only read.
    const candidates = db.snapshot(() =>
      prepared.map(compare).filter((candidate) => candidate !== undefined),
    );
    const sources = [
      ...new Set(candidates.filter((candidate) => candidate.needsContent).flatMap(markdownOf)),
    ];
    const rendering = renderer.render(sources);
    const storing = rendering.then((results) => {
      const rendered = new Map<string, string>();
      const failed = new Map<string, string>();
      for (const [index, result] of results.entries()) {
        const source = sources[index] as string;
        if (result.ok) rendered.set(source, result.html);
        else failed.set(source, result.problem);
      }
      if (isOver) return;
      const bytes = BYTES_STORED * countCharacters(candidates, rendered);
      const spare = Math.min(SPARE_MAX_BYTES, SPARE_MIN_BYTES + storedBytes);
      assertRoom(db, { wal: bytes, file: bytes, spare });
      storedBytes += bytes;
      const made: number[] = [];
      db.write(() => {
        for (const candidate of candidates) {
          const problems = candidate.needsContent ? markdownProblems(candidate, failed) : [];
          if (problems.length > 0) reject(problems);
          else {
            const content = store(candidate, rendered);
            if (candidate.needsContent) made.push(content);
          }
        }
      });
      stored.push(...made);
    });
    // It is awaited later: until then a failure must not count as one that nobody handles, which ends the process.
    storing.catch(() => {});
    inFlight.push(storing);
    if (inFlight.length >= BATCHES_IN_FLIGHT) await inFlight.shift();
  };

  const settle = async (): Promise<void> => {
    if (batch.length > 0) await flush();
    await Promise.all(inFlight);
    inFlight.length = 0;
  };

  const removeStored = (): void => {
    if (isSettled) return;
    isSettled = true;
    try {
      // Ends the temporary tables, and needs no disk for new ones: theirs may be the one that is full.
      db.connection.pragma('temp_store = MEMORY');
      deleteContents(db, stored, yieldLock);
      // What was freed in the file can be used again; the room that the WAL takes is everybody's.
      truncateWal(db);
    } catch {
      // What failed before this is what has to be told.
      isLeft = true;
    }
  };

  return {
    counts,
    reject,
    async add(record, line) {
      batch.push({ record, line });
      if (batch.length >= BATCH_RECORDS) await flush();
    },
    settle,
    commit() {
      // From here on a commit must survive a power cut; it makes the staged texts before it durable too.
      db.connection.pragma('synchronous = FULL');
      try {
        writeStagedEntries(db, list, preparedAt, now, yieldLock);
        isSettled = true;
      } catch (error) {
        removeStored();
        throw error;
      }
    },
    async discard() {
      isOver = true;
      await Promise.allSettled(inFlight);
      removeStored();
      return !isLeft;
    },
  };
}

function countCharacters(candidates: readonly Candidate[], rendered: ReadonlyMap<string, string>): number {
  let characters = 0;
  for (const candidate of candidates) {
    if (!candidate.needsContent) continue;
    for (const source of markdownOf(candidate))
      characters += source.length + (rendered.get(source)?.length ?? 0);
  }
  return characters;
}

function markdownOf(candidate: Candidate): string[] {
  return [candidate.record.reason, ...candidate.proofItems.flatMap((item) => item.text ?? [])];
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

function sameFacts(before: EntryRow, record: ImportRecord): boolean {
  return (
    before.name === record.name &&
    before.verified === (record.verified ? 1 : 0) &&
    before.reported_at === (record.reportedAt ?? before.reported_at) &&
    before.views === (record.views ?? before.views) &&
    before.proofs === proofsState(record, before)
  );
}
