import { describe, expect, it } from 'vitest';
import { NO_JSON, readJsonRecord } from '#src/operator/import/json-reader.ts';

/** As the record that begins in line 7 of a file. */
function problemsOf(text: string): string[] {
  const checked = readJsonRecord(text, 7, 'scammers', true);
  return checked.ok ? [] : checked.problems.map(({ problem }) => problem);
}

it('says of a first row of CSV, and of no later line, how CSV is taken', () => {
  const header = 'id;name;reason';
  for (const first of [header, '"id","name"', 'Nick konta,id'])
    expect(() => problemsOf(first)).toThrow(NO_JSON);
  expect(readJsonRecord(header, 1, 'scammers', false).ok).toBe(false);
});

describe('nesting', () => {
  it.each([
    ['arrays', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('of %s may be 16 levels deep, and no deeper', (_name, open, close) => {
    const nested = (levels: number): string => `${open.repeat(levels)}1${close.repeat(levels)}`;
    expect(problemsOf(nested(16))).not.toContain('is nested over 16 levels deep');
    for (const levels of [17, 100_000])
      expect(problemsOf(nested(levels))).toEqual(['is nested over 16 levels deep']);
  });

  it('counts neither brackets in strings nor values side by side', () => {
    const text = JSON.stringify({ reason: '[{'.repeat(100), items: Array.from({ length: 100 }, () => [{}]) });
    expect(problemsOf(text)).not.toContain('is nested over 16 levels deep');
  });
});

it('repeats numbers as they are written, where JavaScript would round them', () => {
  expect(problemsOf('{"id":12345678901234567890,"name":"a","reason":"b","verified":true}')).toEqual([
    'must be a string, not 12345678901234567890',
  ]);
});

it.each([
  ['{"id":"2","name":"a"', /^is not valid JSON: .*, at character 21 of the record$/],
  ['{"id":"2",\n"name" "a"}', /^is not valid JSON: .*, in line 8$/],
])('says where %j is broken', (text, problem) => {
  expect(problemsOf(text)).toEqual([expect.stringMatching(problem)]);
});
