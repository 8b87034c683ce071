/** The lines of `czujka batch`; the error is also what every verb prints with `--json` when it fails. */
import { z } from 'zod';
import { BadInputError, OPERATOR_ERROR_CODES } from '../operator-error.ts';

export const LINE_MAX_BYTES = 64 * 1024 * 1024;
/** All files of a line, decoded. */
export const FILES_MAX_BYTES = 48_000_000;

/** Parts of a relative path that lead nowhere else. */
function isInside(path: string): boolean {
  return path.split('/').every((part) => !['', '.', '..'].includes(part) && !part.includes('\0'));
}

const tag = z.union([z.string().max(200), z.number(), z.null()], {
  error: 'must be a number, or a string of at most 200 characters',
});

/** This is a line of standard input. */
export const requestSchema = z.strictObject({
  tag: tag.default(null).describe('a string, a number or null, which comes back with the answer'),
  args: z
    .array(z.string())
    .min(1)
    .describe('a verb and its arguments; --json is added, and a value of a stranger goes as --name=VALUE'),
  files: z
    .record(z.string(), z.union([z.string(), z.instanceof(Uint8Array)], { error: 'base64 is needed' }))
    .refine((files) => Object.keys(files).every(isInside), 'names are relative, without ".." and empty parts')
    .default({})
    .describe('contents in base64, by the name that stands in args, or beside an import file in its records'),
});
export type Request = z.output<typeof requestSchema>;

const errorSchema = z.looseObject({
  code: z.enum(OPERATOR_ERROR_CODES).describe(OPERATOR_ERROR_CODES.join(', ')),
  message: z.string().describe('a sentence for people'),
  line: z.int().optional().describe('the number of a line that is no request'),
  restart: z.literal(true).optional().describe('batch ends with 2: start it again, and repeat the line'),
  result: z.unknown().optional().describe('of a verb that ended with 1 or 2 after a part of its work'),
  notes: z.array(z.string()).optional(),
});

/** A verb prints this on standard output with `--json` when it fails. */
export const failureSchema = z.object({ ok: z.literal(false), error: errorSchema });
export type VerbFailure = z.output<typeof errorSchema>;

/** This is a line of standard output. */
export const answerSchema = z.discriminatedUnion('ok', [
  z.object({
    tag,
    ok: z.literal(true),
    result: z.unknown().describe('what the verb prints with --json'),
    notes: z.array(z.string()).describe('sentences for people'),
  }),
  failureSchema.extend({ tag }),
]);
export type Answer = z.output<typeof answerSchema>;

const LONG_BYTES = 4_096;
/** Without long strings. Each byte may become a value, which takes far more memory. */
const REST_MAX_BYTES = 1024 * 1024;
/** Twice the longest reason, with each character escaped. */
const ARGUMENT_MAX_BYTES = 512 * 1024;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/**
 * Parses a line of JSON that may hold files. Its long strings do not become text, which would take thrice the memory.
 * @returns undefined for no JSON in UTF-8; long `files` are bytes of the line @throws {BadInputError}
 */
export function parseLine(line: Buffer | 'too long' | undefined): unknown {
  if (line === 'too long') throw new BadInputError(`the line has more than ${LINE_MAX_BYTES} bytes`);
  const { rest, long } = cutLongStrings(line ?? Buffer.alloc(0));
  const value = parse(rest);
  if (long.length === 0 || typeof value !== 'object' || value === null) return value;
  // A number stands in the place of a long string.
  const restore = (argument: unknown): unknown => {
    const bytes = typeof argument === 'number' ? long[argument] : undefined;
    if (bytes && bytes.length > ARGUMENT_MAX_BYTES)
      throw new BadInputError(`an argument has more than ${ARGUMENT_MAX_BYTES} bytes`);
    return bytes ? parse(bytes) : argument;
  };
  if (Array.isArray(value)) return value.map(restore);
  const { args, files } = value as { args?: unknown; files?: unknown };
  return {
    ...value,
    ...(Array.isArray(args) && { args: args.map(restore) }),
    ...(typeof files === 'object' && {
      files: Object.fromEntries(
        Object.entries(files ?? {}).map(([name, content]: [string, unknown]) => [
          name,
          typeof content === 'number' ? long[content]?.subarray(1, -1) : content,
        ]),
      ),
    }),
  };
}

function cutLongStrings(line: Buffer): { readonly rest: Buffer; readonly long: readonly Buffer[] } {
  const long: Buffer[] = [];
  const kept: Buffer[] = [];
  let [from, cutBytes] = [0, 0];
  const checkRest = (end: number): void => {
    if (end - cutBytes > REST_MAX_BYTES)
      throw new BadInputError(`the line has more than ${REST_MAX_BYTES} bytes beside long strings`);
  };
  for (let start = line.indexOf(QUOTE), end; start !== -1; start = line.indexOf(QUOTE, end)) {
    checkRest(start);
    end = findEnd(line, start);
    if (end - start <= LONG_BYTES) continue;
    kept.push(line.subarray(from, start), Buffer.from(String(long.length)));
    long.push(line.subarray(start, end));
    cutBytes += end - start;
    from = end;
  }
  checkRest(line.length);
  return { rest: Buffer.concat([...kept, line.subarray(from)]), long };
}

/** @returns the place after the string, or the end of a line that ends in it */
function findEnd(line: Buffer, start: number): number {
  for (let quote = line.indexOf(QUOTE, start + 1); quote !== -1; quote = line.indexOf(QUOTE, quote + 1)) {
    let before = quote;
    while (line[before - 1] === BACKSLASH) before -= 1;
    if ((quote - before) % 2 === 0) return quote + 1;
  }
  return line.length;
}

function parse(json: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(json));
  } catch {
    return undefined;
  }
}
