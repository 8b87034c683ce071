import { z } from 'zod';

export interface Setting {
  readonly schema: z.ZodType;
  readonly expected: string;
  readonly example: string;
  readonly isSecret?: boolean;
}

/** Credentials have settings of their own, so that none ends in a log. */
export const serviceUrl = z
  .string()
  .refine(isServiceUrl)
  .transform((value) => value.replace(/(?<!\/)\/+$/, ''))
  .optional();
export const SERVICE_URL_EXPECTED = 'must be an http or https address without user, password, ? and #';
/** Messages do not repeat a value that may be or contain a secret. */
export const SECRET_MAX = 1_000;
export const secret = z
  .string()
  .max(SECRET_MAX)
  .regex(/^[\x20-\x7e]+$/)
  .optional();

export const TEXT_MAX = 2_000;
export const splitTexts = (value: string): readonly string[] =>
  value
    .split('|')
    .map((text) => text.trim())
    .filter(Boolean);
export const wholeNumber = (min: number, max: number, fallback: string) =>
  z
    .string()
    .regex(/^\d{1,6}$/)
    .default(fallback)
    .transform(Number)
    .pipe(z.number().min(min).max(max));

function isServiceUrl(value: string): boolean {
  return isWebAddress(value) && !/[?#]/.test(value);
}

export function isWebAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return /^https?:$/.test(url.protocol) && !url.username && !url.password;
}
