/** The lines of `czujka batch`; the error is also what every verb prints with `--json` when it fails. */
import { z } from 'zod';
import { VERB_ERROR_CODES } from '../verb-error.ts';

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
  code: z.enum(VERB_ERROR_CODES).describe(VERB_ERROR_CODES.join(', ')),
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
