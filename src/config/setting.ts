import { z } from 'zod';

export interface Setting {
  readonly schema: z.ZodType;
  readonly expected: string;
  readonly example: string;
  /** Messages do not repeat a value that may be or contain a secret. */
  readonly isSecret?: boolean;
}

/** Credentials have settings of their own, so that none ends in a log. */
export const serviceUrlSchema = z
  .string()
  .refine((value) => isWebAddress(value) && !/[?#]/.test(value))
  .transform((value) => value.replace(/(?<!\/)\/+$/, ''))
  .optional();

export const serviceUrl = (example: string) => ({
  schema: serviceUrlSchema,
  expected: 'must be an http or https address without user, password, ? and #',
  example,
});
/** Its path may contain a key. */
export const secretUrl = (example: string) => ({ ...serviceUrl(example), isSecret: true });

export const SECRET_MAX = 1_000;
const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;
export const SECRET = {
  schema: z.string().max(SECRET_MAX).regex(PRINTABLE_ASCII).optional(),
  expected: 'must be ASCII characters',
  example: 'change-me',
  isSecret: true,
};

export const TEXT_MAX = 2_000;
export const text = (example: string, lengthMax = TEXT_MAX) => ({
  schema: z.string().max(lengthMax).optional(),
  expected: `must be at most ${lengthMax} characters`,
  example,
});
export const splitTexts = (value: string, separator = '|'): readonly string[] =>
  value
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);

export const path = (kind: string, example: string) => ({
  schema: z.string().optional(),
  expected: `must be the path of a ${kind}`,
  example,
});

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max));
export const optionalNumber = (min: number, max: number, example: number) => ({
  schema: wholeNumber(min, max).optional(),
  expected: `must be a whole number from ${min} to ${max}`,
  example: String(example),
});
export const numberOr = (fallback: number, min: number, max: number) => ({
  ...optionalNumber(min, max, fallback),
  schema: wholeNumber(min, max).default(fallback),
});

export function isWebAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return /^https?:$/.test(url.protocol) && !url.username && !url.password;
}
