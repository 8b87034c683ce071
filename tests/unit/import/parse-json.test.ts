import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../scripts/import/parse-json.ts';

function problemOf(text: string): string | undefined {
  const parsed = parseJson(new TextDecoder('utf-8', { fatal: true }), Buffer.from(text), 7);
  return parsed.ok ? undefined : parsed.problem;
}

describe('nesting', () => {
  it.each([
    ['arrays', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('of %s may be 16 levels deep, and no deeper', (_name, open, close) => {
    const nested = (levels: number): string => `${open.repeat(levels)}1${close.repeat(levels)}`;
    expect(problemOf(nested(16))).toBeUndefined();
    for (const levels of [17, 100_000])
      expect(problemOf(nested(levels))).toBe('is nested over 16 levels deep');
  });

  it('counts neither brackets in strings nor values side by side', () => {
    const text = JSON.stringify({ reason: '[{'.repeat(100), items: Array.from({ length: 100 }, () => [{}]) });
    expect(problemOf(text)).toBeUndefined();
  });
});
