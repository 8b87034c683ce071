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
export class InputError extends Error {
  override name = 'InputError';
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

const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20];
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [ARRAY_OPEN, ARRAY_CLOSE, OBJECT_OPEN, OBJECT_CLOSE] = [0x5b, 0x5d, 0x7b, 0x7d];
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** @throws {InputError} when the boundaries of the following records are unknown */
export async function* splitRecords(
  chunks: AsyncIterable<Buffer>,
  format: ImportFormat = 'json',
): AsyncGenerator<RawRecord> {
  let splitter: Splitter | undefined;
  let start: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (splitter) {
      yield* splitter.push(chunk);
      continue;
    }
    start = Buffer.concat([start, chunk]);
    const begun = begin(start, format);
    if (begun) {
      splitter = begun.splitter;
      yield* splitter.push(begun.rest);
    } else if (start.length > LEADING_SPACE_MAX_BYTES) {
      throw new InputError(1, 'the input begins with white space only');
    }
  }
  if (splitter) yield* splitter.end();
}

/** @returns undefined before the first significant character */
function begin(start: Buffer, format: ImportFormat): { splitter: Splitter; rest: Buffer } | undefined {
  const markBytes = Math.min(start.length, BYTE_ORDER_MARK.length);
  const hasMark = start.subarray(0, markBytes).equals(BYTE_ORDER_MARK.subarray(0, markBytes));
  const text = hasMark ? start.subarray(markBytes) : start;
  const first = text.findIndex((byte) => !isSpace(byte));
  if (first < 0) return undefined;
  const line = 1 + count(text.subarray(0, first), LF);
  return format === 'json' && text[first] === ARRAY_OPEN
    ? { splitter: arraySplitter(line), rest: text.subarray(first + 1) }
    : { splitter: lineSplitter(line, format), rest: text.subarray(first) };
}

interface Splitter {
  push(chunk: Buffer): Generator<RawRecord>;
  end(): Generator<RawRecord>;
}

/** Cuts at line breaks; in CSV at those between which the number of quotation marks is even. */
function lineSplitter(startLine: number, format: ImportFormat): Splitter {
  let line = startLine;
  let recordLine = startLine;
  let isQuoted = false;
  const rest = collector();
  /** The rest of the line belongs to a record that was refused already. */
  let skipping = false;
  function* cut(): Generator<RawRecord> {
    const bytes = rest.take();
    if (skipping) yield { line: recordLine, bytes: Buffer.alloc(0), problem: TOO_LONG };
    else if (bytes.some((byte) => !isSpace(byte))) yield { line: recordLine, bytes };
    skipping = false;
    recordLine = line;
  }
  const add = (part: Buffer): void => {
    if (format === 'csv' && count(part, QUOTE) % 2 === 1) isQuoted = !isQuoted;
    if (skipping || rest.add(part)) return;
    skipping = true;
    rest.take();
  };
  return {
    *push(chunk) {
      let from = 0;
      for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, from)) {
        add(chunk.subarray(from, end));
        line += 1;
        if (isQuoted) add(chunk.subarray(end, end + 1));
        else yield* cut();
        from = end + 1;
      }
      add(chunk.subarray(from));
    },
    *end() {
      if (isQuoted) throw new InputError(recordLine, 'a quotation mark is not closed');
      yield* cut();
    },
  };
}

/** Follows strings and nesting, so that it sees which commas stand between records. */
function arraySplitter(startLine: number): Splitter {
  let line = startLine;
  let recordLine = startLine;
  let depth = 0;
  let inString = false;
  let escaped = false;
  let begun = false;
  let closed = false;
  /** A comma was seen and a record must follow. */
  let expected = false;
  const rest = collector();

  const add = (part: Buffer): void => {
    if (!rest.add(part)) throw new InputError(recordLine, TOO_LONG);
  };

  const finish = (): RawRecord => {
    begun = false;
    expected = false;
    return { line: recordLine, bytes: rest.take() };
  };

  return {
    *push(chunk) {
      let from = 0;
      for (let at = 0; at < chunk.length; at += 1) {
        const byte = chunk[at] as number;
        if (byte === LF) line += 1;
        if (inString) {
          if (escaped) escaped = false;
          else if (byte === BACKSLASH) escaped = true;
          else if (byte === QUOTE) inString = false;
          continue;
        }
        if (isSpace(byte)) continue;
        if (closed) throw new InputError(line, 'there is something after the end of the array');
        if (depth === 0 && (byte === COMMA || byte === ARRAY_CLOSE)) {
          if (begun) {
            add(chunk.subarray(from, at));
            yield finish();
          } else if (byte === COMMA || expected) {
            throw new InputError(line, 'a record is missing beside a comma');
          }
          expected = byte === COMMA;
          closed = byte === ARRAY_CLOSE;
          continue;
        }
        if (!begun) {
          begun = true;
          recordLine = line;
          from = at;
        }
        if (byte === QUOTE) inString = true;
        else if (byte === OBJECT_OPEN || byte === ARRAY_OPEN) depth += 1;
        else if (byte === OBJECT_CLOSE || byte === ARRAY_CLOSE) depth -= 1;
        if (depth < 0) throw new InputError(line, 'a bracket is closed that was never opened');
      }
      if (begun) add(chunk.subarray(from));
    },
    *end() {
      if (!closed) throw new InputError(line, 'the array is not closed; the file may be cut off');
    },
  };
}

/** Bytes of a record that spans chunks. */
function collector() {
  let parts: Buffer[] = [];
  let length = 0;
  return {
    /** @returns false when the record is too long by now */
    add(part: Buffer): boolean {
      length += part.length;
      if (length > RECORD_MAX_BYTES) return false;
      parts.push(part);
      return true;
    },
    take(): Buffer {
      const bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
      parts = [];
      length = 0;
      return bytes;
    },
  };
}

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === LF || byte === CR || byte === TAB;
}

function count(bytes: Buffer, wanted: number): number {
  let found = 0;
  for (const byte of bytes) if (byte === wanted) found += 1;
  return found;
}
