import { z } from 'zod';

export interface Setting {
  readonly schema: z.ZodType;
  readonly expected: string;
  readonly example: string;
  /** Messages do not repeat a value that may be or contain a secret. */
  readonly isSecret?: boolean;
}

/** @param expected completes the message, as `must be …` */
export function setting<Schema extends z.ZodType>(schema: Schema, expected: string, example: string) {
  return { schema, expected, example };
}

/** Credentials have settings of their own, so that none ends in a log. */
export const serviceUrlSchema = z
  .string()
  .refine((value) => isWebAddress(value) && !/[?#]/.test(value))
  .transform((value) => value.replace(/(?<!\/)\/+$/, ''))
  .optional();

export const serviceUrl = (example: string) =>
  setting(serviceUrlSchema, 'must be an http or https address without user, password, ? and #', example);
/** Its path may contain a key. */
export const secretUrl = (example: string) => ({ ...serviceUrl(example), isSecret: true });

export const SECRET_MAX = 1_000;
const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;
const secretSchema = z.string().max(SECRET_MAX).regex(PRINTABLE_ASCII).optional();
export const SECRET = { ...setting(secretSchema, 'must be ASCII characters', 'change-me'), isSecret: true };

export const TEXT_MAX = 2_000;
export const text = (example: string, lengthMax = TEXT_MAX) =>
  setting(z.string().max(lengthMax).optional(), `must be at most ${lengthMax} characters`, example);
export const splitTexts = (value: string, separator = '|'): readonly string[] =>
  value
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);

export const path = (kind: string, example: string) =>
  setting(z.string().optional(), `must be the path of a ${kind}`, example);

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max));
const numberSetting = <Schema extends z.ZodType>(schema: Schema, min: number, max: number, example: number) =>
  setting(schema, `must be a whole number from ${min} to ${max}`, String(example));
export const optionalNumber = (min: number, max: number, example: number) =>
  numberSetting(wholeNumber(min, max).optional(), min, max, example);
export const numberOr = (fallback: number, min: number, max: number) =>
  numberSetting(wholeNumber(min, max).default(fallback), min, max, fallback);

export function isWebAddress(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password;
}
