import { z } from 'zod';
import { codePointLength } from '../text/read-query.ts';
import { describeIssue } from '../text/describe-issue.ts';
import { EPOCH_MS, issuedAt } from '../platform-id.ts';
import { ACCOUNT_STATES, ID_MAX, type ListKind } from './entry.ts';
import type { ImportedField } from './entry-row.ts';
import { DAY_MS, dayInUtc } from '../text/calendar.ts';

const NAME_MAX = 100;
export const REASON_MAX = 20_000;
const REPORT_ID_MAX = 64;
const CAPTION_MAX = 1_000;
const URL_MAX = 2_000;
const PROOF_ITEMS_MAX = 100;

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const CONTROL_BUT_BREAKS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
/** Marks need a letter; an empty cell of Braille and a note without a head (U+1D159) are signs that show nothing. */
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{M}\p{Cf}\p{Cc}\u2800\u{1d159}]*$/u;

export const INVISIBLE_TEXT = 'is empty or invisible; at least one visible character is needed';

export function hasVisibleText(text: string): boolean {
  return !INVISIBLE.test(text);
}

/** Zero-width and direction characters are allowed, because a nick is evidence, and pages isolate it. */
export const lineSchema = (lengthMax: number) =>
  textSchema(CONTROL, 'holds a control character or line break; only visible text is allowed')
    .refine((value) => value.trim() === value, 'begins or ends with white space; remove it')
    .refine(hasVisibleText, INVISIBLE_TEXT)
    .refine(...atMost(lengthMax));

export const paragraphsSchema = (lengthMax: number) =>
  textSchema(CONTROL_BUT_BREAKS, BAD_CONTROL).refine(...atMost(lengthMax));

export const BAD_CONTROL = 'holds a control character; of these only tab and line breaks are allowed';
/** Letters and quotation marks in a wrong encoding. Stored texts may have some, because earlier versions took them. */
export const C1_CONTROL = /[\u0080-\u009f]/;

function textSchema(forbidden: RegExp, problem: string) {
  return z
    .string()
    .refine(
      (value) => value.isWellFormed(),
      'holds half of a surrogate pair; only whole characters are allowed',
    )
    .refine((value) => !forbidden.test(value), problem);
}

export const timeSchema = z
  .union(
    [
      z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
      z.iso.date().transform((text) => Date.parse(text)),
      z.number().int(),
    ],
    { error: 'must be an ISO 8601 time with a zone, such as 2026-11-19T16:05:00Z, or epoch milliseconds' },
  )
  .refine((ms) => ms >= 0 && ms <= TIME_MAX, 'must lie between the years 1970 and 9999');

/** The last millisecond of 9999; later years have no four-digit ISO 8601 form. */
export const TIME_MAX = 253_402_300_799_999;

const proofItemSchema = z
  .strictObject({
    text: paragraphsSchema(REASON_MAX).optional(),
    url: z
      .string()
      .refine(isWebAddress, 'must be an http or https address')
      .refine(...atMost(URL_MAX))
      .optional(),
    file: lineSchema(255).optional(),
    caption: lineSchema(CAPTION_MAX).optional(),
  })
  .refine((item) => item.text !== undefined || item.url !== undefined || item.file !== undefined, {
    error: 'must have at least one of text, url and file',
  });

const proofsSchema = z.strictObject({
  private: z.boolean(),
  items: z.array(proofItemSchema).max(PROOF_ITEMS_MAX),
});

export const nameSchema = lineSchema(NAME_MAX);

const recordSchema = z.strictObject({
  id: lineSchema(ID_MAX),
  name: nameSchema,
  reason: paragraphsSchema(REASON_MAX),
  verified: z.boolean(),
  reportedAt: timeSchema.optional(),
  verifiedAt: timeSchema.nullish(),
  account: z.enum(ACCOUNT_STATES).optional(),
  accountSince: timeSchema.nullish(),
  reportId: lineSchema(REPORT_ID_MAX).optional(),
  views: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  proofs: proofsSchema.optional(),
} satisfies Record<ImportedField, z.ZodType>);

/** The fields, each with its schema. */
export const RECORD_SHAPE = recordSchema.shape;

const trustedSchema = recordSchema.refine(({ verified }) => verified, {
  path: ['verified'],
  error: 'must be true: the trusted list has no risk entries',
});

export type ImportRecordInput = z.input<typeof recordSchema>;
export type ImportRecord = z.output<typeof recordSchema>;

export interface RecordProblem {
  readonly field: string;
  readonly problem: string;
}

export type CheckedRecord =
  | { readonly ok: true; readonly record: ImportRecord }
  | { readonly ok: false; readonly problems: readonly RecordProblem[] };

export function parseImportRecord(value: unknown, list: ListKind): CheckedRecord {
  const result = (list === 'legit' ? trustedSchema : recordSchema).safeParse(value, { error: describeIssue });
  if (result.success) return { ok: true, record: result.data };
  const problems = result.error.issues.map(({ path, message }) => ({
    field: z.core.toDotPath(path),
    problem: message,
  }));
  return { ok: false, problems };
}

export function rejectRecord(field: string, problem: string): CheckedRecord {
  return { ok: false, problems: [{ field, problem }] };
}

/** Names of files of proofs. */
export function listFileNames({ proofs }: Pick<ImportRecordInput, 'proofs'>): string[] {
  return (proofs?.items ?? []).flatMap(({ file }) => file ?? []);
}

/**
 * Judges a time that a person gives. A stored one may lie outside, because earlier versions took it.
 * @param at epoch milliseconds @returns a predicate of the operator's sentence
 */
export function findTimeProblem(at: number, now: number): string | undefined {
  const isAllowed = (ms: number): boolean => ms >= EPOCH_MS && ms <= now + DAY_MS;
  if (isAllowed(at)) return undefined;
  const hint = isAllowed(at * 1_000) ? `; are these seconds? Milliseconds would be ${at * 1_000}` : '';
  const says = at < EPOCH_MS ? 'before the platform began' : 'more than a day ahead';
  return `${dayInUtc(at)} is ${says}: a time from ${dayInUtc(EPOCH_MS)} to ${dayInUtc(now + DAY_MS)} is allowed${hint}`;
}

/**
 * Judges the day on which an account was hijacked, which lies between the day of its ID and now.
 * @param at epoch milliseconds @returns a predicate of the operator's sentence
 */
export function findHijackProblem(at: number, id: string, now: number): string | undefined {
  const created = issuedAt(id, now);
  const from = created === undefined ? EPOCH_MS : created - (created % DAY_MS);
  if (at >= from && at <= now) return undefined;
  const early = created === undefined ? 'is before the platform began' : 'is before the ID was given out';
  const says = at > now ? 'lies ahead' : early;
  return `${dayInUtc(at)} ${says}: a time from ${dayInUtc(from)} to now (${dayInUtc(now)}) is allowed`;
}

function atMost(lengthMax: number): [(text: string) => boolean, string] {
  return [
    (text) => text.length <= lengthMax || codePointLength(text) <= lengthMax,
    `is too long; at most ${lengthMax} characters are allowed`,
  ];
}

/** People see the address, and URL parsers remove or encode some characters. */
function isWebAddress(value: string): boolean {
  const isWhole = value.isWellFormed() && !CONTROL.test(value) && !/\s/.test(value);
  return isWhole && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}
