/**
 * Cuts an import file into its records, byte by byte and in bounded memory, so that every record knows its line.
 * Takes NDJSON (one object a line), one JSON array or CSV; a byte order mark and CRLF are fine.
 */

/** The first character says whether `json` is NDJSON or an array. */
export const IMPORT_FORMATS = ['csv', 'json'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

export interface RawRecord {
  /** Line of the first byte, from 1. */
  readonly line: number;
  readonly bytes: Buffer;
  /** Set for a line of NDJSON or row of CSV that is too long to be kept; `bytes` is empty. */
  readonly problem?: string;
}

/** The input as a whole cannot be cut further; `stageFile` makes it a problem of its line. */
export class FileFormatError extends Error {
  override name = 'FileFormatError';
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Far above the longest record that can be valid. */
const RECORD_MAX_BYTES = 4 * 1024 * 1024;
const TOO_LONG = `the record is longer than ${RECORD_MAX_BYTES} bytes`;
const LEADING_SPACE_MAX_BYTES = 1024 * 1024;

const LF = 0x0a;
const SPACES: ReadonlySet<number> = new Set([0x09, LF, 0x0d, 0x20]);
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [ARRAY_OPEN, ARRAY_CLOSE, OBJECT_OPEN, OBJECT_CLOSE] = [0x5b, 0x5d, 0x7b, 0x7d];
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** @throws {FileFormatError} when the boundaries of the following records are unknown */
export async function* splitRecords(
  chunks: AsyncIterable<Buffer>,
  format: ImportFormat = 'json',
): AsyncGenerator<RawRecord> {
  let splitter: ReturnType<typeof createSplitter> | undefined;
  let start: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (splitter) {
      yield* splitter.push(chunk);
      continue;
    }
    start = Buffer.concat([start, chunk]);
    const text = withoutMark(start);
    const first = text.findIndex((byte) => !SPACES.has(byte));
    if (first >= 0) {
      const isArray = format === 'json' && text[first] === ARRAY_OPEN;
      splitter = createSplitter(1 + count(text.subarray(0, first), LF), isArray ? 'array' : format);
      yield* splitter.push(text.subarray(isArray ? first + 1 : first));
    } else if (start.length > LEADING_SPACE_MAX_BYTES) {
      throw new FileFormatError(1, 'the input begins with white space only');
    }
  }
  if (splitter) yield* splitter.end();
}

/** The mark may be cut off. */
function withoutMark(start: Buffer): Buffer {
  const mark = BYTE_ORDER_MARK.subarray(0, start.length);
  return start.subarray(0, mark.length).equals(mark) ? start.subarray(mark.length) : start;
}

/** Collects the bytes between two ends, and knows their lines. */
function createSplitter(firstLine: number, layout: ImportFormat | 'array') {
  const isArray = layout === 'array';
  const scanner = isArray ? createArrayScanner() : createLineScanner(layout);
  /** Line of the next byte. */
  let line = firstLine;
  let recordLine = firstLine;
  let parts: Buffer[] = [];
  let length = 0;
  let isEmpty = true;
  const add = (given: Buffer): void => {
    // A record of an array begins with its first character.
    const first = isArray && length === 0 ? given.findIndex((byte) => !SPACES.has(byte)) : 0;
    const part = first < 0 ? Buffer.alloc(0) : given.subarray(first);
    line += count(given, LF);
    if (length === 0) recordLine = line - count(part, LF);
    length += part.length;
    if (length <= RECORD_MAX_BYTES) parts.push(part);
    else if (isArray) throw new FileFormatError(recordLine, TOO_LONG);
    else parts = [];
  };
  /** @returns undefined for white space */
  const take = (): RawRecord | undefined => {
    const bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    const problem = length > RECORD_MAX_BYTES ? { problem: TOO_LONG } : undefined;
    parts = [];
    length = 0;
    const isRecord = problem !== undefined || bytes.some((byte) => !SPACES.has(byte));
    return isRecord ? { line: recordLine, bytes, ...problem } : undefined;
  };
  return {
    *push(chunk: Buffer): Generator<RawRecord> {
      let from = 0;
      for (let end; (end = scanner.findEnd(chunk, from, line)) >= 0; from = end + 1) {
        add(chunk.subarray(from, end));
        const record = take();
        if (isArray && !record && (chunk[end] === COMMA || !isEmpty))
          throw new FileFormatError(line, 'a record is missing beside a comma');
        if (chunk[end] === LF) line += 1;
        isEmpty = false;
        if (record) yield record;
      }
      add(chunk.subarray(from));
    },
    *end(): Generator<RawRecord> {
      const problem = scanner.findProblem();
      if (problem !== undefined) throw new FileFormatError(isArray ? line : recordLine, problem);
      const record = take();
      if (record) yield record;
    },
  };
}

interface Scanner {
  /** @param from place in the chunk, which all before is known of @param line of that place @returns -1 without an end */
  findEnd(chunk: Buffer, from: number, line: number): number;
  /** At the end of the input. */
  findProblem(): string | undefined;
}

/** Finds line breaks; in CSV those between which the number of quotation marks is even. */
function createLineScanner(format: ImportFormat): Scanner {
  let isQuoted = false;
  return {
    findEnd(chunk, from) {
      for (let start = from; ;) {
        const end = chunk.indexOf(LF, start);
        const part = chunk.subarray(start, end < 0 ? undefined : end);
        if (format === 'csv' && count(part, QUOTE) % 2 === 1) isQuoted = !isQuoted;
        if (end < 0 || !isQuoted) return end;
        start = end + 1;
      }
    },
    findProblem: () => (isQuoted ? 'a quotation mark is not closed' : undefined),
  };
}

/** Follows strings and nesting, so that it sees which commas stand between records. */
function createArrayScanner(): Scanner {
  let [depth, inString, escaped, closed] = [0, false, false, false];
  return {
    findEnd(chunk, from, line) {
      const fail = (at: number, problem: string): never => {
        throw new FileFormatError(line + count(chunk.subarray(from, at), LF), problem);
      };
      for (let at = from; at < chunk.length; at += 1) {
        const byte = chunk[at] as number;
        if (inString) {
          if (escaped) escaped = false;
          else if (byte === BACKSLASH) escaped = true;
          else if (byte === QUOTE) inString = false;
          continue;
        }
        if (SPACES.has(byte)) continue;
        if (closed) fail(at, 'there is something after the end of the array');
        if (depth === 0 && (byte === COMMA || byte === ARRAY_CLOSE)) {
          closed = byte === ARRAY_CLOSE;
          return at;
        }
        if (byte === QUOTE) inString = true;
        else if (byte === OBJECT_OPEN || byte === ARRAY_OPEN) depth += 1;
        else if (byte === OBJECT_CLOSE || byte === ARRAY_CLOSE) depth -= 1;
        if (depth < 0) fail(at, 'a bracket is closed that was never opened');
      }
      return -1;
    },
    findProblem: () => (closed ? undefined : 'the array is not closed; the file may be cut off'),
  };
}

function count(bytes: Buffer, wanted: number): number {
  let found = 0;
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) found += 1;
  return found;
}
