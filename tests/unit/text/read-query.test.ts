import { describe, expect, it } from 'vitest';
import { codePointLength, QueryReader } from '#src/text/read-query.ts';

describe('a query', () => {
  const refused = (parameter: string, given: string, allowed: string) => [{ parameter, given, allowed }];

  it('has texts without the white space around; an empty one is absent', () => {
    const reader = new QueryReader([
      ['a', ' x '],
      ['b', '  '],
    ]);
    expect(['a', 'b', 'c'].map((name) => reader.text(name, 3))).toEqual(['x', undefined, undefined]);
    expect(reader.problems).toEqual([]);
  });

  it('counts the length of a text in code points, and says how long it may be', () => {
    const reader = new QueryReader([['a', '😀😀😀']]);
    expect(reader.text('a', 3)).toBe('😀😀😀');
    expect(reader.text('a', 2)).toBeUndefined();
    expect(reader.problems).toEqual(refused('a', '😀😀😀', 'najwyżej 2 znaki (podano 3)'));
    const longer = new QueryReader([['a', 'xxxxxx']]);
    longer.text('a', 5);
    expect(longer.problems).toEqual(refused('a', 'xxxxxx', 'najwyżej 5 znaków (podano 6)'));
    expect(codePointLength('ż😀')).toBe(2);
  });

  it('has choices, and the default where there is none or another value', () => {
    const reader = new QueryReader([
      ['a', 'two'],
      ['b', 'TWO'],
    ]);
    expect(reader.choice('a', ['one', 'two'], 'one')).toBe('two');
    expect(reader.choice('a', ['one', 'two'])).toBe('two');
    expect(reader.choice('c', ['one', 'two'], 'two')).toBe('two');
    expect(reader.problems).toEqual([]);
    expect(reader.choice('b', ['one', 'two'], 'one')).toBe('one');
    expect(reader.problems).toEqual(refused('b', 'TWO', 'dozwolone wartości to one, two'));
  });

  it('has choices that must be made once', () => {
    const absent = new QueryReader([]);
    expect(absent.choice('a', ['one', 'two'])).toBe('one');
    expect(absent.problems).toEqual(refused('a', '', 'dozwolone wartości to one, two'));
    const repeated = new QueryReader([
      ['a', 'one'],
      ['a', 'two'],
    ]);
    expect(repeated.choice('a', ['one', 'two'])).toBe('one');
    expect(repeated.problems).toHaveLength(1);
  });

  it('has whole numbers within their bounds, and the default for anything else', () => {
    for (const given of ['1', '60', '007']) {
      const reader = new QueryReader([['a', given]]);
      expect(reader.integer('a', 1, 60, 30)).toBe(Number(given));
      expect(reader.result('q')).toEqual({ query: 'q', problems: [] });
    }
    for (const given of ['-1', '0', '61', '1.0', '1e1', 'x1', '1x', '0x1', '٣', 'NaN', '0000000000000001']) {
      const reader = new QueryReader([['a', given]]);
      expect(reader.integer('a', 1, 60, 30)).toBe(30);
      expect(reader.problems).toEqual(refused('a', given, 'liczba całkowita od 1 do 60'));
    }
    const absent = new QueryReader([]);
    expect([absent.integer('a', 1, 60, 30), absent.problems]).toEqual([30, []]);
  });

  it('refuses what is given twice, and shows it all, cut to sixty characters', () => {
    const reader = new QueryReader([
      ['a', '1'],
      ['b', '2'],
      ['a', '😀'.repeat(100)],
    ]);
    expect(reader.text('a', 1_000)).toBeUndefined();
    expect(reader.problems).toEqual(refused('a', `1, ${'😀'.repeat(57)}`, 'można go podać tylko raz'));
    expect(reader.text('b', 1)).toBe('2');
  });
});
