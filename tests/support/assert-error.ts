/** The one form that every error under /api has (SPEC 2.6 and 7). */
import { expect } from 'vitest';
import type { Answer } from './test-site.ts';

export function assertError(
  { status, headers, text: body }: Answer,
  wanted: number,
  text: string | RegExp,
): void {
  const { error, ...others } = JSON.parse(body) as Record<string, unknown>;
  if (typeof text === 'string') expect(error).toBe(text);
  else expect(error).toMatch(text);
  expect({ status, others }).toEqual({ status: wanted, others: {} });
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    'x-error-code': expect.stringMatching(/^[a-z_]+$/) as string,
    date: expect.stringMatching(/GMT$/) as string,
  });
}
