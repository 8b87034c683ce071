/** One record of a file as JSON, read more strictly than JSON.parse does, and with messages that point into the file. */
import { NumberAsWritten } from '#src/text/record-problem.ts';

export type ParsedJson =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** The same, with numbers that JavaScript would round as they are written: for messages. */
      readonly asWritten: () => unknown;
    }
  | { readonly ok: false; readonly problem: string };

const POSITION = / (?:in JSON )?at position \d+ \(line (\d+) column (\d+)\)$/;
/** Strings, each with whether it is a key, and what begins and ends objects. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}]/gs;

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
    const twice = findKeyTwice(text);
    if (twice !== undefined) return { ok: false, problem: `has the field ${twice} twice` };
    return { ok: true, value, asWritten: () => JSON.parse(text, keepWriting) as unknown };
  } catch (error) {
    const message = (error as Error).message.replace(POSITION, (_, row: string, column: string) =>
      row === '1' ? `, at character ${column} of the record` : `, in line ${line + Number(row) - 1}`,
    );
    return { ok: false, problem: `is not valid JSON: ${message}` };
  }
}

/** JSON.parse takes the last one, and says nothing. @returns the key as it is written */
function findKeyTwice(text: string): string | undefined {
  const objects: Set<string>[] = [];
  for (const [token, colon] of text.matchAll(TOKENS)) {
    if (token === '{') objects.push(new Set());
    else if (token === '}') objects.pop();
    else if (colon !== undefined) {
      const written = token.slice(0, -colon.length);
      const key = JSON.parse(written) as string;
      if (objects.at(-1)?.has(key)) return written;
      objects.at(-1)?.add(key);
    }
  }
  return undefined;
}

function keepWriting(_key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  const isRounded = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded && source !== undefined ? new NumberAsWritten(source) : value;
}
