/** Records are compared, rendered and staged while others are read; one transaction commits them. */
import { randomUUID } from 'node:crypto';
import { readLogHead } from '../changes/change-log.ts';
import { storeReplaced } from '../changes/undo-file.ts';
import { readRemovedKey } from '../removals/removed-key.ts';
import { sqlBuilder, type Database, type Transaction } from '../db/database.ts';
import { SAMPLE_PROPERTY, setProperty } from '../db/properties.ts';
import { LostFilesError, type NamedFiles, type ProofStore } from '../proofs/store-proofs.ts';
import { dayInUtc } from '../text/calendar.ts';
import { createMarkdownRenderer, type MarkdownRenderer } from '../text/markdown-renderer.ts';
import {
  findHtml,
  findReason,
  listProofItems,
  renderContent,
  sameProofs,
  type ProofItem,
} from './entry-content.ts';
import type { ListKind, ProofsState } from './entry.ts';
import type { RenderedMarkdown } from '../text/render-markdown.ts';
import { generateReportId } from './entry-identity.ts';
import { ENTRY_FIELDS, type EntryRow, type EntryWrite, type WriteOptions } from './entry-row.ts';
import { findReportNumberProblem, UNIQUE } from './report-numbers.ts';
import { findTombstone } from '../removals/tombstones.ts';
import {
  BAD_CONTROL,
  C1_CONTROL,
  findHijackProblem,
  findTimeProblem,
  hasVisibleText,
  INVISIBLE_TEXT,
  type ImportRecord,
  type RecordProblem,
} from './import-record.ts';
import { findEntryRowByChatId } from './find-entry-rows.ts';
import { createStaging, listReplacedEntries, stageEntry, writeStagedEntries } from './staging-tables.ts';

/** The thread that renders waits less often than with fewer. */
const BATCH_RECORDS = 800;
const TRIES_AGAIN = 3;
const NO_FILES = { problem: 'files are added with the verb proofs' };

export interface LineProblem extends RecordProblem {
  readonly line: number;
}

export interface StagingOptions
  extends WriteOptions, Pick<EntryWrite, 'recordedWithdrawals' | 'formerNames' | 'erasesNotes'> {
  /** Stores files that records name. */
  readonly files?: ProofStore | undefined;
  /** The times and texts were checked once; today they may be too old, and the texts refused. */
  readonly wasCheckedBefore?: boolean;
  /** Chat ID of the entry that the only record changes, if the record has another chat ID. */
  readonly previousId?: string | undefined;
  /** Hosts to which no new link of a proof may lead. */
  readonly refusedHosts?: readonly string[] | undefined;
  /** As many problems and notices are kept, those of the first lines; default: all. */
  readonly problemsKept?: number;
  /** Default: one of its own, which may start a thread. */
  readonly renderer?: MarkdownRenderer;
}

/** Proofs of a record whose files are stored, or why they cannot be. */
type StoredProofs = { readonly items: readonly ProofItem[] } | RecordProblem;

interface Candidate {
  readonly record: ImportRecord;
  readonly line: number;
  readonly before: EntryRow | undefined;
  readonly proofItems: readonly ProofItem[];
  /** Markdown to render, by field; undefined when texts and proofs stay. */
  readonly texts: ReadonlyMap<string, string> | undefined;
}

/** An import, or one edit. A connection has one session at a time, because the staging tables belong to it. */
export class StagingSession implements AsyncDisposable {
  readonly db: Database;
  readonly list: ListKind;
  /** `returned` are those of `added` that had been removed before. */
  readonly counts = { added: 0, updated: 0, unchanged: 0, rejected: 0, returned: 0 };
  readonly problems: LineProblem[] = [];
  readonly notices: LineProblem[] = [];
  /** All of them, of which `problems` has the first. */
  problemCount = 0;
  readonly #options: StagingOptions;
  readonly #renderer: MarkdownRenderer;
  readonly #removedKey: Buffer | undefined;
  readonly #lines = new Map<string, number>();
  readonly #reportIds = new Set<string>();
  #batch: { record: ImportRecord; line: number; proofs: StoredProofs | undefined }[] = [];
  /** Settles when all batches so far are rendered and staged. */
  #staging: Promise<unknown> = Promise.resolve();

  constructor(db: Database, list: ListKind, options: StagingOptions) {
    this.db = db;
    this.list = list;
    this.#options = options;
    this.#renderer = options.renderer ?? createMarkdownRenderer();
    this.#removedKey = readRemovedKey(db.path);
    createStaging(db);
  }

  /** An entry keeps its proofs where the record has none. @param named files that the record names */
  async add(record: ImportRecord, line: number, named: NamedFiles = new Map()): Promise<void> {
    const proofs = record.proofs && (await this.#storeFiles(record.proofs, named));
    this.#batch.push({ record, line, proofs });
    if (this.#batch.length >= BATCH_RECORDS) await this.#flush();
  }

  /** Resolves when all records are staged and all problems known. */
  async settle(): Promise<void> {
    if (this.#batch.length > 0) await this.#flush();
    await this.#staging;
    // Its thread's memory goes before the commit needs its own.
    await this.#renderer.close();
  }

  async #storeFiles(
    { private: isPrivate, items }: NonNullable<ImportRecord['proofs']>,
    named: NamedFiles,
  ): Promise<StoredProofs> {
    const { files } = this.#options;
    const stored: ProofItem[] = [];
    for (const [index, { text = null, url = null, caption = null, file: name }] of items.entries()) {
      const file =
        name === undefined
          ? undefined
          : ((await files?.store(name, named.get(name) ?? NO_FILES, !isPrivate)) ?? NO_FILES);
      if (file && 'problem' in file) return { field: `proofs.items[${index}].file`, problem: file.problem };
      const { sha256: fileSha256 = null, fileName = null } = file ?? {};
      stored.push({ text, textHtml: null, url, fileSha256, fileName, caption });
    }
    return { items: stored };
  }

  async #flush(): Promise<void> {
    const records = this.#batch;
    this.#batch = [];
    const candidates = this.db.read(() =>
      records.flatMap(({ record, line, proofs }) => this.#compare(record, line, proofs) ?? []),
    );
    // Records are read and compared while the batch before is rendered.
    const previousBatch = this.#staging;
    this.#staging = this.#renderAndStage(candidates);
    // An unhandled rejection would end the process.
    this.#staging.catch(() => {});
    await previousBatch;
  }

  #compare(record: ImportRecord, line: number, proofs: StoredProofs | undefined): Candidate | undefined {
    const { db, list } = this;
    const { now, wasCheckedBefore, previousId, refusedHosts = [] } = this.#options;
    const rejectField = (field: string, problem: string): undefined =>
      this.reject(line, [{ field, problem }]) as undefined;
    const first = this.#lines.get(record.id);
    if (first !== undefined) return rejectField('id', `is in the input twice; the first is in line ${first}`);
    this.#lines.set(record.id, line);
    const before = findEntryRowByChatId(db, list, previousId ?? record.id);
    if (previousId !== undefined && previousId !== record.id && findEntryRowByChatId(db, list, record.id))
      return rejectField('id', `${record.id} has an entry in ${list} already`);
    for (const field of ['reportedAt', 'verifiedAt'] as const) {
      const at = record[field];
      if (typeof at !== 'number' || at === before?.[ENTRY_FIELDS[field].column] || wasCheckedBefore) continue;
      const problem = findTimeProblem(at, now);
      if (problem !== undefined) return rejectField(field, problem);
    }
    if (record.verifiedAt && !record.verified)
      return rejectField('verifiedAt', 'only a verified entry has one');
    const { account, account_since: since } = toAccountColumns(record, before);
    if (record.accountSince && account === 'own')
      return rejectField('accountSince', 'only a hijacked account has one');
    const isNewSince = since !== before?.account_since || record.id !== before.chat_id;
    const sinceProblem =
      since === null || !isNewSince || wasCheckedBefore
        ? undefined
        : findHijackProblem(since, record.id, now);
    if (sinceProblem !== undefined) return rejectField('accountSince', sinceProblem);
    if (record.reportId !== undefined && record.reportId !== before?.report_id) {
      if (before) {
        const notice = `stays ${before.report_id}: the report number of an entry never changes`;
        this.addNotice({ line, field: 'reportId', problem: notice });
      } else {
        const { id, reportId } = record;
        const wrong = this.#reportIds.has(reportId)
          ? `is in the input twice; ${UNIQUE}`
          : findReportNumberProblem(db, list, { id, reportId }, this.#removedKey);
        if (wrong !== undefined) return rejectField('reportId', `${reportId} ${wrong}`);
        this.#reportIds.add(reportId);
      }
    }
    if (proofs && 'problem' in proofs) return rejectField(proofs.field, proofs.problem);
    const stored = before ? listProofItems(db, before.row) : [];
    const proofItems = proofs?.items ?? stored;
    for (const [index, { url }] of proofItems.entries()) {
      if (!proofs || url === null || !leadsTo(refusedHosts, url)) continue;
      const problem = 'is gone within a day: send the file (REFUSED_PROOF_HOSTS)';
      const field = `proofs.items[${index}].url`;
      if (!stored.some((item) => item.url === url)) return rejectField(field, problem);
      this.addNotice({ line, field, problem: `${problem}; it stays, because it is stored already` });
    }
    const reason = before && findReason(db, before.row);
    const isRendered = before && reason === record.reason && findHtml(db, before.row) !== undefined;
    const texts = isRendered && sameProofs(stored, proofItems) ? undefined : textsOf(record, proofItems);
    const known = new Set([reason, ...stored.map((item) => item.text)]);
    for (const [field, text] of texts ?? []) {
      if (known.has(text) || wasCheckedBefore) continue;
      if (C1_CONTROL.test(text)) return rejectField(field, BAD_CONTROL);
      // A list from elsewhere may have no reasons, but an empty proof would be none.
      if (field !== 'reason' && !hasVisibleText(text)) return rejectField(field, INVISIBLE_TEXT);
    }
    return { record, line, before, proofItems, texts };
  }

  async #renderAndStage(candidates: readonly Candidate[]): Promise<void> {
    const texts = candidates.flatMap((candidate) => [...(candidate.texts?.values() ?? [])]);
    const rendered = await this.#renderer.render(texts);
    // Staging tables are temporary, which takes no lock.
    this.db.read(() => {
      for (const candidate of candidates) this.#stage(candidate, rendered);
    });
  }

  #stage(candidate: Candidate, rendered: ReadonlyMap<string, RenderedMarkdown>): void {
    const { now, recordedWithdrawals, formerNames, erasesNotes } = this.#options;
    const { record, line, before, proofItems, texts } = candidate;
    const problems = [...(texts ?? [])].flatMap(([field, text]) => {
      const result = rendered.get(text);
      return result && !result.ok ? [{ field, problem: result.problem }] : [];
    });
    if (problems.length > 0) return this.reject(line, problems);
    const content = texts && renderContent({ reason: record.reason, descHtml: '', proofItems }, rendered);
    const write = {
      list: this.list,
      chat_id: record.id,
      name: record.name,
      verified: record.verified ? 1 : 0,
      reported_at: record.reportedAt ?? before?.reported_at ?? now,
      verified_at: verifiedAt(record, before),
      ...toAccountColumns(record, before),
      updated_at: now,
      views: record.views ?? null,
      proofs: proofsState(record, before),
      report_id: before?.report_id ?? record.reportId ?? generateReportId(),
      content,
      recordedWithdrawals,
      formerNames,
      erasesNotes,
    };
    if (!stageEntry(this.db, write, before)) this.counts.unchanged += 1;
    else if (before) this.counts.updated += 1;
    else this.counts.added += 1;
    if (before?.chat_id !== record.id)
      this.#noticeReturn(record.id, before ? undefined : record.reportId, line);
  }

  #noticeReturn(id: string, reportId: string | undefined, line: number): void {
    const tombstone = findTombstone(this.db, this.#removedKey, this.list, { id, reportId });
    if (!tombstone) return;
    this.counts.returned += 1;
    const { reason, at } = tombstone;
    const problem = `${reportId ?? id} was removed before (${reason}, ${dayInUtc(at)}) and comes back`;
    this.addNotice({ line, field: reportId === undefined ? 'id' : 'reportId', problem });
  }

  reject(line: number, problems: readonly RecordProblem[]): void {
    this.counts.rejected += 1;
    this.problemCount += problems.length;
    for (const problem of problems) this.#insert(this.problems, { line, ...problem });
  }

  addNotice(notice: LineProblem): void {
    this.#insert(this.notices, notice);
  }

  /** Sorted by line, because problems of reasons arrive after problems of later records. */
  #insert(listed: LineProblem[], problem: LineProblem): void {
    listed.splice(listed.findLastIndex(({ line }) => line <= problem.line) + 1, 0, problem);
    if (listed.length > (this.#options.problemsKept ?? Infinity)) listed.pop();
  }

  /**
   * Writes what is staged, after settle, all or nothing. Where another command removed a stored file, which nothing used
   * until now, the file is stored again, and the write repeated.
   * @param source an import, which can be taken back: the name of its file, null for standard input
   * @returns the number of the import, where it changed something
   * @throws {OperatorError} `conflict` when an entry was changed meanwhile, or a file is lost for good
   */
  async commit(source?: { readonly file: string | null }): Promise<number | undefined> {
    const undoable = source && { ...source, key: randomUUID() };
    // Before the transaction: rows without an import that counts are pruned, an import without its rows would be lost.
    if (undoable && this.counts.updated > 0)
      for (let page = listReplacedEntries(this.db); page.length > 0;) {
        storeReplaced(this.db.path, undoable.key, this.#options.now, page);
        page = listReplacedEntries(this.db, page.at(-1)?.stagedId);
      }
    for (let left = TRIES_AGAIN; ; left -= 1) {
      try {
        return this.db.write((tx) => this.#write(tx, undoable));
      } catch (error) {
        if (!(error instanceof LostFilesError) || left === 0) throw error;
      }
      await this.#options.files?.storeAgain();
    }
  }

  #write(tx: Transaction, undoable: { key: string; file: string | null } | undefined): number | undefined {
    const { list } = this;
    const { now, origin, files } = this.#options;
    const { added, updated } = this.counts;
    const { seq } = readLogHead(tx);
    writeStagedEntries(tx, this.#options);
    files?.assertPresent(tx);
    const isImport = undoable !== undefined && added + updated > 0;
    // From now on the database holds real entries.
    if (isImport || (origin !== undefined && added > 0)) setProperty(tx, SAMPLE_PROPERTY, undefined);
    if (!isImport) return undefined;
    const values = { ...undoable, at: now, list, first_change: seq + 1, last_change: readLogHead(tx).seq };
    return Number(tx.run(sqlBuilder.insertInto('imports').values(values)).lastInsertRowid);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#renderer.close();
    await this.#staging.catch(() => {});
  }
}

function textsOf({ reason }: ImportRecord, items: readonly ProofItem[]): ReadonlyMap<string, string> {
  const texts = new Map([['reason', reason]]);
  for (const [index, { text }] of items.entries())
    if (text !== null) texts.set(`proofs.items[${index}].text`, text);
  return texts;
}

function leadsTo(hosts: readonly string[], url: string): boolean {
  const host = new URL(url).hostname.replace(/\.$/, '');
  return hosts.some((name) => host === name || host.endsWith(`.${name}`));
}

/** A record without it keeps it, as long as the entry stays verified. */
function verifiedAt({ verified, verifiedAt: at }: ImportRecord, before: EntryRow | undefined): number | null {
  if (!verified) return null;
  return at === undefined ? (before?.verified_at ?? null) : at;
}

/** A record without them keeps them; an account in the hands of its owner has no date. */
function toAccountColumns(
  { account: given, accountSince }: ImportRecord,
  before: EntryRow | undefined,
): Pick<EntryRow, 'account' | 'account_since'> {
  const account = given ?? before?.account ?? 'own';
  const since = accountSince === undefined ? (before?.account_since ?? null) : accountSince;
  return { account, account_since: account === 'own' ? null : since };
}

function proofsState(record: ImportRecord, before: EntryRow | undefined): ProofsState {
  if (!record.proofs) return before?.proofs ?? 'none';
  if (record.proofs.private) return 'private';
  return record.proofs.items.length > 0 ? 'public' : 'none';
}
