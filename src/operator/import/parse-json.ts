/** One record of a file as JSON, read more strictly than JSON.parse does, and with messages that point into the file. */
import { NumberAsWritten } from '../../text/describe-issue.ts';

export type ParsedJson =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** The same, with numbers that JavaScript would round as they are written: for messages. */
      readonly asWritten: () => unknown;
    }
  | { readonly ok: false; readonly problem: string };

const POSITION = / (?:in JSON )?at position \d+ \(line (\d+) column (\d+)\)$/;
/** Matches strings, and brackets outside of them. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]/gs;
/** A valid record has 4 levels. Recursive functions read the value later, and a deep one would exhaust their stack. */
const LEVELS_MAX = 16;

/** @param line of the file, in which the record begins */
export function parseJson(decoder: TextDecoder, bytes: Buffer, line: number): ParsedJson {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { ok: false, problem: 'is not valid UTF-8; save the file as UTF-8' };
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isTooDeep(text)) return { ok: false, problem: `is nested over ${LEVELS_MAX} levels deep` };
    return { ok: true, value, asWritten: () => JSON.parse(text, keepWriting) as unknown };
  } catch (error) {
    const message = (error as Error).message.replace(POSITION, (_, row: string, column: string) =>
      row === '1' ? `, at character ${column} of the record` : `, in line ${line + Number(row) - 1}`,
    );
    return { ok: false, problem: `is not valid JSON: ${message}` };
  }
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
