import { describe, expect, it } from 'vitest';
import { NumberAsWritten } from '#src/text/describe-issue.ts';
import { parseJson } from '#src/operator/import/parse-json.ts';

/** As the record that begins in line 7 of a file. */
function parse(text: string | Buffer) {
  return parseJson(new TextDecoder('utf-8', { fatal: true }), Buffer.from(text), 7);
}

function problemOf(text: string | Buffer): string | undefined {
  const parsed = parse(text);
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

it('keeps numbers as they are written, where JavaScript would round them', () => {
  const parsed = parse('{"id":12345678901234567890,"views":5}');
  expect(parsed.ok && parsed.asWritten()).toEqual({
    id: new NumberAsWritten('12345678901234567890'),
    views: 5,
  });
});

it.each([
  ['{"id":"2","name":"a"', /^is not valid JSON: .*, at character 21 of the record$/],
  ['{"id":"2",\n"name" "a"}', /^is not valid JSON: .*, in line 8$/],
  [Buffer.from([0x22, 0xff, 0x22]), /^is not valid UTF-8; save the file as UTF-8$/],
])('says where %j is broken', (text, problem) => {
  expect(problemOf(text)).toMatch(problem);
});
