/** The two steps of an import: `stageFile` reads a file and stages its changes; `commitImport` writes them, all or none. */
import { isUtf8 } from 'node:buffer';
import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Database } from '../../db/database.ts';
import { assertRoom, isDiskFull } from '../../db/disk-room.ts';
import type { ListKind } from '../../entries/entry.ts';
import { findMistakenId } from '../../entries/parse-check-input.ts';
import { listFileNames, rejectRecord, type CheckedRecord } from '../../entries/import-record.ts';
import type { StagingSession } from '../../entries/staging-session.ts';
import type { NamedFile } from '../../proofs/store-proofs.ts';
import { isPlatformId } from '../../platform-id.ts';
import type { CliStreams } from '../console/cli.ts';
import { describeDeletable, describeFullDisk } from '../console/full-disk.ts';
import { STANDARD_INPUT } from '../console/options.ts';
import { createProgressBar } from '../console/progress-bar.ts';
import { NOT_UTF8 } from '../console/read-input.ts';
import { CsvReader } from './csv-reader.ts';
import { findBeside } from './find-beside.ts';
import { readJsonRecord } from './json-reader.ts';
import { FileFormatError, splitRecords, type ImportFormat, type RawRecord } from './split-records.ts';

/** Bytes taken in the file and its WAL, at the most, for one of the input; measured 3.1 with long reasons, 4.6 with short. */
const ROOM_FOR_BYTE = 4.6;
const NO_FOLDER = 'needs an import file to lie beside; standard input has no folder';

export interface FileOptions {
  /** Default: by the name. */
  readonly format?: ImportFormat;
  /** No notice about IDs that the platform does not give out. */
  readonly oddId?: boolean;
}

/**
 * Reads a file into a session, which knows all problems then.
 * @param file a path, or `-`
 * @returns the bytes of the file
 * @throws without room, or a file to read
 */
export async function stageFile(
  session: StagingSession,
  file: string,
  { format = /\.csv$/i.test(file) ? 'csv' : 'json', oddId = false }: FileOptions,
  { stdin, stderr }: Pick<CliStreams, 'stdin' | 'stderr'>,
): Promise<number> {
  const size = file === STANDARD_INPUT ? undefined : statSync(file).size;
  using bar = createProgressBar(stderr, size);
  try {
    // Later, others would find no room either.
    if (size !== undefined) assertRoom(session.db, size * ROOM_FOR_BYTE);
    const input = (size === undefined ? stdin : createReadStream(file)) as AsyncIterable<Buffer>;
    const oddLines: number[] = [];
    let records = 0;
    const csv = format === 'csv' ? new CsvReader(session.list, oddId) : undefined;
    for await (const { line, bytes, checked } of readRecords(
      splitRecords(input, format),
      session.list,
      csv,
    )) {
      bar.update(bar.done + bytes, `${(records += 1)} records`);
      if (checked?.ok === false) session.reject(line, checked.problems);
      if (!checked?.ok) continue;
      if (!isPlatformId(checked.record.id)) oddLines.push(line);
      const names = listFileNames(checked.record);
      await session.add(checked.record, line, new Map(names.map((name) => [name, findNamed(file, name)])));
    }
    const [line] = oddLines;
    if (line !== undefined && !oddId)
      session.addNotice({ line, field: 'id', problem: describeOdd(oddLines.length) });
    // The last records are still being rendered.
    await session.settle();
    return size ?? bar.done;
  } catch (error) {
    throw explainFullDisk(session.db, error, size, bar.done);
  }
}

/** `checked` is undefined for headers and empty rows. The last one of an input that cannot be cut further is its problem. */
async function* readRecords(records: AsyncIterable<RawRecord>, list: ListKind, csv: CsvReader | undefined) {
  // Leaves out a byte order mark, also in the middle of joined files.
  const decoder = new TextDecoder();
  let isFirst = true;
  try {
    for await (const { line, bytes, problem } of records) {
      const broken = problem ?? (isUtf8(bytes) ? undefined : NOT_UTF8);
      let checked: CheckedRecord | undefined;
      if (broken === undefined) {
        const text = decoder.decode(bytes);
        checked = csv ? csv.readRow(text, line) : readJsonRecord(text, line, list, isFirst);
        isFirst = false;
      } else checked = rejectRecord('', broken);
      const mistake = checked?.ok ? findMistakenId(checked.record.id) : undefined;
      yield {
        line,
        bytes: bytes.length + 1,
        checked: mistake === undefined ? checked : rejectRecord('id', mistake),
      };
    }
  } catch (error) {
    if (!(error instanceof FileFormatError)) throw error;
    yield { line: error.line, bytes: 0, checked: rejectRecord('', error.message) };
  }
}

function describeOdd(count: number): string {
  const others = count > 1 ? `, nor are those of ${count - 1} more` : '';
  return `is not 17 to 20 digits${others}; --odd-id says that this is meant`;
}

function findNamed(file: string, name: string): NamedFile {
  if (file === STANDARD_INPUT) return { problem: NO_FOLDER };
  const beside = findBeside(file, name);
  return beside
    ? { source: beside.source, fileName: name }
    : { problem: `${name} leads outside the folder of the import file` };
}

/**
 * Writes what a session staged, all or nothing, with its undo record.
 * @param bytes of the file
 * @returns the number of the import, where it changed something
 * @throws {EntryChangedError} when an entry was changed meanwhile
 */
export async function commitImport(
  session: StagingSession,
  file: string,
  bytes: number,
): Promise<number | undefined> {
  const isNamed = file !== STANDARD_INPUT;
  try {
    return await session.commit({ file: isNamed ? basename(file) : null });
  } catch (error) {
    throw explainFullDisk(session.db, error, isNamed ? bytes : undefined, bytes);
  }
}

/** @param total bytes of the file, where they are known @returns the error, unless the disk is full */
function explainFullDisk(
  db: Database,
  error: unknown,
  total: number | undefined,
  bytesRead: number,
): unknown {
  if (!isDiskFull(error)) return error;
  const needed = Math.ceil((total ?? bytesRead) * ROOM_FOR_BYTE);
  return new Error(
    `${describeFullDisk(db, error)}, and the import needs ${total === undefined ? 'more than' : 'about'} ${needed}; ` +
      `nothing was imported; ${describeDeletable(db.path)}`,
    { cause: error },
  );
}
