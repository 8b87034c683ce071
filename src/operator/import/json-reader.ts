/** Reads records in JSON, more strictly than JSON.parse does, and with messages that point into the file. */
import type { ListKind } from '../../entries/entry.ts';
import { parseImportRecord, rejectRecord, type CheckedRecord } from '../../entries/import-record.ts';
import { NumberAsWritten } from '../../text/describe-issue.ts';
import { FileFormatError } from './split-records.ts';

const POSITION = / (?:in JSON )?at position \d+ \(line (\d+) column (\d+)\)$/;
/** Matches strings, and brackets outside of them. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]/gs;
/** A valid record has 4 levels. Recursive functions read the value later, and a deep one would exhaust their stack. */
const LEVELS_MAX = 16;

/** The header of CSV, as far as it matters here. */
const HEADER = /^[^{[,;]+[,;]/;
export const NO_JSON = 'is no JSON, which begins with { or [; if it is CSV, say --format csv';

/** @param line in which the record begins @throws {FileFormatError} when the first one is the header of CSV */
export function readJsonRecord(text: string, line: number, list: ListKind, isFirst: boolean): CheckedRecord {
  if (isFirst && HEADER.test(text)) throw new FileFormatError(line, NO_JSON);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const message = (error as Error).message.replace(POSITION, (_, row: string, column: string) =>
      row === '1' ? `, at character ${column} of the record` : `, in line ${line + Number(row) - 1}`,
    );
    return rejectRecord('', `is not valid JSON: ${message}`);
  }
  if (isTooDeep(text)) return rejectRecord('', `is nested over ${LEVELS_MAX} levels deep`);
  const checked = parseImportRecord(value, list);
  // Messages repeat numbers that JavaScript would round as they are written.
  return checked.ok ? checked : parseImportRecord(JSON.parse(text, keepWriting), list);
}

/** @param text valid JSON */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    if (depth > LEVELS_MAX) return true;
  }
  return false;
}

function keepWriting(_key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  const isRounded = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded && source !== undefined ? new NumberAsWritten(source) : value;
}
