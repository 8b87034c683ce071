/** The one form that every error under /api has (SPEC 2.6 and 7). */
import { expect } from 'vitest';
import type { Answer } from './test-site.ts';

export function assertError(answer: Answer, status: number, text: string | RegExp): void {
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['access-control-allow-origin']).toBe('*');
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
  const body = JSON.parse(answer.text) as Record<string, unknown>;
  expect(Object.keys(body)).toEqual(['error']);
  if (typeof text === 'string') expect(body.error).toBe(text);
  else expect(body.error).toMatch(text);
}
