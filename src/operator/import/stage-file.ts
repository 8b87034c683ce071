/** The two steps of an import: `stageFile` reads a file and stages its changes; `commit` writes them, all or none. */
import { isUtf8 } from 'node:buffer';
import { createReadStream, realpathSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { readLogHead } from '../../changes/log-head.ts';
import { keepReplaced } from '../../changes/undo-file.ts';
import { sqlBuilder, type Database } from '../../db/database.ts';
import { assertRoom, isDiskFull } from '../../db/disk-room.ts';
import type { ListKind } from '../../entries/entry.ts';
import { findMistakenId } from '../../entries/read-subject.ts';
import { refuseRecord } from '../../entries/import-record.ts';
import { StagingSession, takeProofs, type TakeFile } from '../../entries/staging-session.ts';
import { listStagedBefore, summarizeStaged } from '../../entries/staging-tables.ts';
import {
  createProofFileKeeper,
  writeWithProofFiles,
  type ProofFileKeeper,
} from '../../proofs/keep-proof-files.ts';
import type { KeptFile } from '../../proofs/read-proof-file.ts';
import { isPlatformId } from '../../platform-id.ts';
import { createMarkdownRenderer } from '../../text/markdown-renderer.ts';
import type { CliStreams } from '../console/cli.ts';
import { describeFullDisk } from '../console/full-disk.ts';
import { PROBLEMS_LISTED } from '../console/outcome.ts';
import { STANDARD_INPUT } from '../console/options.ts';
import { createProgressBar } from '../console/progress-bar.ts';
import { createCsvReader } from './csv-reader.ts';
import { createJsonReader } from './json-reader.ts';
import { InputError, splitRecords, type ImportFormat } from './split-records.ts';

/** Bytes taken in the file and its WAL, at the most, for one of the input; measured 3.1 with long reasons, 4.6 with short. */
const ROOM_FOR_BYTE = 4.6;
const NO_FOLDER = 'needs an import file to lie beside; standard input has no folder';

export interface StageFileOptions {
  /** Path of a file, or `-`. */
  readonly file: string;
  readonly streams: Pick<CliStreams, 'stdin' | 'stderr'>;
  readonly format: ImportFormat;
  readonly list: ListKind;
  readonly keepGoing: boolean;
  /** No notice about IDs that the platform does not give out. */
  readonly allowsOddIds: boolean;
  /** Files of proofs are checked and not stored. */
  readonly dryRun: boolean;
  readonly dataFolder: string;
  readonly refusedHosts?: readonly string[];
  /** Epoch milliseconds. */
  readonly now: number;
  /** The operator's name for the history of the entries; undefined when unknown. */
  readonly by?: string | undefined;
}

/** Its disposal removes the stored files of proofs that no entry uses. @throws without room, or a file to read */
export async function stageFile(db: Database, options: StageFileOptions) {
  const { file, list, streams, keepGoing, allowsOddIds, dryRun, dataFolder, refusedHosts, now, by } = options;
  const size = file === STANDARD_INPUT ? undefined : statSync(file).size;
  await using renderer = createMarkdownRenderer();
  using undisposed = new DisposableStack();
  const files = undisposed.use(createProofFileKeeper(db, dataFolder));
  using bar = createProgressBar(streams.stderr, size);
  const takeFile = dryRun ? files.check : files.keep;
  const take: TakeFile = (name, isPublic) => takeBeside(file, name, (path) => takeFile(path, isPublic));
  await using session = new StagingSession(db, list, {
    renderer,
    now,
    by,
    refusedHosts,
    how: 'import',
    listedMax: PROBLEMS_LISTED,
  });
  const failure = (error: unknown): unknown =>
    isDiskFull(error) ? fullDiskError(db, error, size, bar.done) : error;
  try {
    // Later, others would find no room either.
    if (size !== undefined) assertRoom(db, size * ROOM_FOR_BYTE);
    const input = (size === undefined ? streams.stdin : createReadStream(file)) as AsyncIterable<Buffer>;
    const oddLines: number[] = [];
    let records = 0;
    for await (const { line, bytes, checked } of readRecords(input, options)) {
      bar.update(bar.done + bytes, `${(records += 1)} records`);
      if (checked?.ok === false) session.refuse(line, checked.problems);
      if (!checked?.ok) continue;
      if (!isPlatformId(checked.record.id)) oddLines.push(line);
      await session.add(checked.record, line, await takeProofs(checked.record, take));
    }
    const [line] = oddLines;
    if (line !== undefined && !allowsOddIds)
      session.addNotice({ line, field: 'id', problem: describeOdd(oddLines.length) });
    // Only then all problems are known: the last records are still being rendered.
    await session.settle();
    const { counts, problemCount, problems, notices } = session;
    const plan = problemCount > 0 && !keepGoing ? undefined : summarizeStaged(db);
    const commit = async (): Promise<number | undefined> => {
      const number = await commitWithUndo(db, files, session, options).catch((error: unknown) => {
        throw failure(error);
      });
      files.finish();
      return number;
    };
    const disposal = undisposed.move();
    return {
      counts,
      /** All of them, of which `problems` has the first. */
      problemCount,
      problems,
      notices,
      /** Undefined after a bad record, unless with `keepGoing`. */
      plan,
      /** Undefined without a plan, and in a dry run. @throws {EntryChangedError} when an entry was changed meanwhile */
      commit: plan && !dryRun ? commit : undefined,
      [Symbol.dispose]: () => disposal.dispose(),
    };
  } catch (error) {
    throw failure(error);
  }
}

/** `checked` is undefined for headers and empty rows. The last one of an input that cannot be cut further is its problem. */
async function* readRecords(input: AsyncIterable<Buffer>, { list, format, allowsOddIds }: StageFileOptions) {
  const read = format === 'csv' ? createCsvReader(list, allowsOddIds) : createJsonReader(list);
  // Leaves out a byte order mark, also in the middle of joined files.
  const decoder = new TextDecoder();
  try {
    for await (const { line, bytes, problem } of splitRecords(input, format)) {
      const broken = problem ?? (isUtf8(bytes) ? undefined : 'is not valid UTF-8; save the file as UTF-8');
      const checked = broken === undefined ? read(decoder.decode(bytes), line) : refuseRecord('', broken);
      const mistake = checked?.ok ? findMistakenId(checked.record.id) : undefined;
      yield {
        line,
        bytes: bytes.length + 1,
        checked: mistake === undefined ? checked : refuseRecord('id', mistake),
      };
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    yield { line: error.line, bytes: 0, checked: refuseRecord('', error.message) };
  }
}

function describeOdd(count: number): string {
  const others = count > 1 ? `, nor are those of ${count - 1} more` : '';
  return `is not 17 to 20 digits${others}; --odd-id says that this is meant`;
}

/** Takes the file of a proof that lies beside the import file. */
async function takeBeside(
  file: string,
  name: string,
  take: (path: string) => Promise<KeptFile>,
): Promise<KeptFile> {
  if (file === STANDARD_INPUT) return { ok: false, problem: NO_FOLDER };
  const folder = realpathSync(dirname(file));
  const path = resolve(folder, name);
  // A missing file has no real path; `take` names the problem.
  const real = await realpath(path).catch(() => path);
  if (isAbsolute(name) || !real.startsWith(join(folder, '/')))
    return { ok: false, problem: `${name} leads outside the folder of the import file` };
  const taken = await take(real);
  return taken.ok ? taken : { ok: false, problem: `${name} ${taken.problem}` };
}

/** Writes the staged changes with their undo record. @returns the number of the import, where it changed something */
async function commitWithUndo(
  db: Database,
  files: ProofFileKeeper,
  session: StagingSession,
  { file, list, now }: StageFileOptions,
): Promise<number | undefined> {
  const { added, updated } = session.counts;
  const key = randomUUID();
  // Before the transaction: rows without an import that counts are pruned, an import without its rows would be lost.
  if (updated > 0) keepReplaced(db.path, key, now, listStagedBefore(db));
  return await writeWithProofFiles(db, files, (tx) => {
    const { seq } = readLogHead(tx);
    session.commit(tx);
    if (added + updated === 0) return undefined;
    const named = file === STANDARD_INPUT ? null : basename(file);
    const range = { first_change: seq + 1, last_change: readLogHead(tx).seq };
    const values = { key, at: now, list, file: named, ...range };
    return Number(tx.run(sqlBuilder.insertInto('imports').values(values)).lastInsertRowid);
  });
}

function fullDiskError(db: Database, error: unknown, total: number | undefined, bytesRead: number): Error {
  const needed = Math.ceil((total ?? bytesRead) * ROOM_FOR_BYTE);
  return new Error(
    `${describeFullDisk(db, error)}, and the import needs ${total === undefined ? 'more than' : 'about'} ${needed}; ` +
      'nothing was imported',
    { cause: error },
  );
}
