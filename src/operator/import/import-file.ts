/** The command `import`: a file of records into one list, all or nothing unless asked otherwise. */
import { isUtf8 } from 'node:buffer';
import { createReadStream, realpathSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { readLogHead } from '../../changes/log-head.ts';
import { keepReplaced } from '../../changes/undo-file.ts';
import { sqlBuilder, type Database } from '../../db/database.ts';
import { assertRoom, isDiskFull } from '../../db/disk-room.ts';
import type { ListKind } from '../../entries/entry.ts';
import { refuseRecord } from '../../entries/import-record.ts';
import { findMistakenId } from '../../entries/find-mistaken-id.ts';
import {
  createImportSession,
  type ImportCounts,
  type ImportProblem,
  type ImportSession,
} from '../../entries/import-session.ts';
import { listStagedBefore, summarizeStaged, type StagedSummary } from '../../entries/staged-changes.ts';
import { createProofFileKeeper, type ProofFileKeeper } from '../../proofs/keep-proof-files.ts';
import { isPlatformId } from '../../platform-id.ts';
import { createMarkdownRenderer } from '../../text/markdown-renderer.ts';
import { describeFullDisk } from '../console/full-disk.ts';
import { BadInputError, PROBLEMS_LISTED } from '../console/outcome.ts';
import { STANDARD_INPUT } from '../console/options.ts';
import { createProgressBar } from '../console/progress-bar.ts';
import { createCsvReader } from './csv-reader.ts';
import { createJsonReader } from './json-reader.ts';
import { InputError, splitRecords, type ImportFormat } from './split-records.ts';

/** Bytes taken in the file and its WAL, at the most, for one of the input; measured 3.1 with long reasons, 4.6 with short. */
const ROOM_FOR_BYTE = 4.6;
const NO_FOLDER = 'needs an import file to lie beside; standard input has no folder';

export type ImportReport = Awaited<ReturnType<typeof importFile>>;

export interface ImportFileOptions {
  /** Path of a file, or `-`. */
  readonly file: string;
  /** Read where `file` is `-`. */
  readonly stdin: Readable;
  readonly format: ImportFormat;
  readonly list: ListKind;
  readonly keepGoing: boolean;
  /** No note about IDs that the platform does not give out. */
  readonly allowsOddIds: boolean;
  readonly dataFolder: string;
  readonly refusedHosts?: readonly string[];
  /** Epoch milliseconds. */
  readonly now: number;
  /** The operator's name for the history of the entries; undefined when unknown. */
  readonly by?: string | undefined;
  /** Reviews the staged changes; nothing is written when it returns false or throws. */
  readonly approve?: (plan: ImportPlan) => boolean | Promise<boolean>;
}

/** The changes that an import is about to make. */
export interface ImportPlan extends StagedSummary {
  readonly counts: ImportCounts;
  readonly notices: readonly ImportProblem[];
}

/** Before a database is made for it. @param file a path, or `-`. @throws {BadInputError} */
export function checkInput(file: string): void {
  if (file === STANDARD_INPUT) return;
  const facts = statSync(file, { throwIfNoEntry: false });
  if (!facts) throw new BadInputError(`there is no file ${file}`);
  if (facts.isDirectory()) throw new BadInputError(`${file} is a folder; a file is needed`);
}

/** @throws {EntryChangedError} when an entry was changed meanwhile @throws without room, or a file to read */
export async function importFile(db: Database, options: ImportFileOptions) {
  const { file, stdin, list, keepGoing, allowsOddIds, dataFolder, refusedHosts, now, by, approve } = options;
  const fromStandardInput = file === STANDARD_INPUT;
  const total = fromStandardInput ? undefined : statSync(file).size;
  const problems: ImportProblem[] = [];
  const notices: ImportProblem[] = [];
  let problemCount = 0;
  await using renderer = createMarkdownRenderer();
  const files = createProofFileKeeper(db, dataFolder);
  using bar = createProgressBar(total);
  let hasFailed = false;
  /** Unused files may be there now. */
  let isToSweep = false;
  try {
    const session = createImportSession(db, list, {
      renderer,
      now,
      by,
      refusedHosts,
      how: 'import',
      storeFile: async (name, isPublic) => {
        if (fromStandardInput) return { ok: false, problem: NO_FOLDER };
        const folder = realpathSync(dirname(file));
        const path = resolve(folder, name);
        // A missing file has no real path; `keep` names the problem.
        const real = await realpath(path).catch(() => path);
        if (isAbsolute(name) || !real.startsWith(join(folder, '/'))) {
          return { ok: false, problem: `${name} leads outside the folder of the import file` };
        }
        isToSweep = true;
        const kept = await files.keep(real, isPublic);
        return kept.ok ? kept : { ok: false, problem: `${name} ${kept.problem}` };
      },
      onProblem: (problem) => {
        problemCount += 1;
        keepFirst(problems, problem);
      },
      onNotice: (notice) => {
        keepFirst(notices, notice);
      },
    });
    let bytesRead = 0;
    const takeAll = async (): Promise<Written> => {
      // Later, others would find no room either.
      if (total !== undefined) assertRoom(db, total * ROOM_FOR_BYTE);
      const odd: number[] = [];
      const onProgress = (bytes: number, records: number): void => {
        bytesRead = bytes;
        bar.update(bytes, `${records} records`);
      };
      const input = (fromStandardInput ? stdin : createReadStream(file)) as AsyncIterable<Buffer>;
      await readRecords(input, session, options, onProgress, (line) => odd.push(line));
      const [line] = odd;
      if (line !== undefined && !allowsOddIds)
        keepFirst(notices, { line, field: 'id', problem: describeOdd(odd.length) });
      // Only now all problems are known: the last records are still being rendered.
      await session.settle();
      const isWell = problemCount === 0 || keepGoing;
      const plan = (): ImportPlan => ({ ...summarizeStaged(db), counts: session.counts, notices });
      if (isWell && (approve === undefined || (await approve(plan()))))
        return await commitWithUndo(db, files, session, options);
      await session.discard();
      return { isWritten: false };
    };
    const { isWritten, number } = await takeAll().catch(async (error: unknown) => {
      hasFailed = true;
      await session.discard();
      throw isDiskFull(error) ? fullDiskError(db, error, total, bytesRead) : error;
    });
    isToSweep ||= isWritten;
    return {
      list,
      /** False after a bad record, or with `--dry-run`. */
      imported: isWritten,
      /** For `--undo`. */
      ...(number !== undefined && { import: number }),
      ...session.counts,
      /** All of them, of which `problems` lists the first. */
      problemCount,
      problems,
      notices,
    };
  } finally {
    // The first failure is the one to report; the next command removes the remaining files.
    if (isToSweep)
      try {
        files.finish();
      } catch (error) {
        if (!hasFailed) throw error;
      }
  }
}

interface Written {
  readonly isWritten: boolean;
  /** Number of the import, where it changed something. */
  readonly number?: number;
}

/** Writes the staged changes together with their undo record. */
async function commitWithUndo(
  db: Database,
  files: ProofFileKeeper,
  session: ImportSession,
  { file, list, now }: ImportFileOptions,
): Promise<Written> {
  const { added, updated } = session.counts;
  const key = randomUUID();
  // Before the transaction: rows without an import that counts are pruned, an import without its rows would be lost.
  if (updated > 0) keepReplaced(db.path, key, now, listStagedBefore(db));
  const number = await files.transact(() => {
    const { seq } = readLogHead(db);
    session.commit();
    if (added + updated === 0) return undefined;
    const named = file === STANDARD_INPUT ? null : basename(file);
    const range = { first_change: seq + 1, last_change: readLogHead(db).seq };
    const values = { key, at: now, list, file: named, ...range };
    return db.run(sqlBuilder.insertInto('imports').values(values)).lastInsertRowid;
  });
  return { isWritten: true, ...(number !== undefined && { number: Number(number) }) };
}

function fullDiskError(db: Database, error: unknown, total: number | undefined, bytesRead: number): Error {
  const needed = Math.ceil((total ?? bytesRead) * ROOM_FOR_BYTE);
  return new Error(
    `${describeFullDisk(db, error)}, and the import needs ${total === undefined ? 'more than' : 'about'} ${needed}; ` +
      'nothing was imported',
    { cause: error },
  );
}

/** Sorted by line, because problems of reasons arrive after problems of later records. */
function keepFirst(listed: ImportProblem[], problem: ImportProblem): void {
  listed.splice(listed.findLastIndex(({ line }) => line <= problem.line) + 1, 0, problem);
  if (listed.length > PROBLEMS_LISTED) listed.pop();
}

function describeOdd(count: number): string {
  const others = count > 1 ? `, nor are those of ${count - 1} more` : '';
  return `is not 17 to 20 digits${others}; --odd-id says that this is meant`;
}

/** `file:line: field: what is wrong`. */
export function formatProblem(file: string, { line, field, problem }: ImportProblem): string {
  const name = file === STANDARD_INPUT ? 'stdin' : basename(file);
  return `${name}:${line}: ${field === '' ? '' : `${field}: `}${problem}`;
}

async function readRecords(
  input: AsyncIterable<Buffer>,
  session: ImportSession,
  { list, format, allowsOddIds }: ImportFileOptions,
  onProgress: (bytes: number, records: number) => void,
  onOddId: (line: number) => void,
): Promise<void> {
  const read = format === 'csv' ? createCsvReader(list, allowsOddIds) : createJsonReader(list);
  // Leaves out a byte order mark, also in the middle of joined files.
  const decoder = new TextDecoder();
  let bytesRead = 0;
  let records = 0;
  try {
    for await (const { line, bytes, problem } of splitRecords(input, format)) {
      bytesRead += bytes.length + 1;
      records += 1;
      onProgress(bytesRead, records);
      const broken = problem ?? (isUtf8(bytes) ? undefined : 'is not valid UTF-8; save the file as UTF-8');
      const checked = broken === undefined ? read(decoder.decode(bytes), line) : refuseRecord('', broken);
      if (!checked) continue;
      const mistake = checked.ok ? findMistakenId(checked.record.id) : undefined;
      if (mistake !== undefined) session.reject([{ line, field: 'id', problem: mistake }]);
      else if (checked.ok) {
        if (!isPlatformId(checked.record.id)) onOddId(line);
        await session.add(checked.record, line);
      } else session.reject(checked.problems.map((found) => ({ line, ...found })));
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    session.reject([{ line: error.line, field: '', problem: error.message }]);
  }
}
