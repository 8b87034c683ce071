import { expect, it } from 'vitest';
import { z } from 'zod';
import {
  createQueryParser,
  requiredText,
  textParameter,
  codePointLength,
  type QueryPairs,
} from '#src/text/read-query.ts';

const refused = (parameter: string, given: string, allowed: string) => [{ parameter, raw: given, allowed }];
const read = (parameter: z.ZodType, pairs: QueryPairs) => {
  const { query, problems } = createQueryParser(z.object({ a: parameter }))(pairs);
  return { a: query.a, problems };
};

it('has texts without the white space around; an empty one is absent', () => {
  expect(read(textParameter(3), [['a', ' x ']])).toEqual({ a: 'x', problems: [] });
  expect(read(textParameter(3), [['a', '  ']])).toEqual({ a: undefined, problems: [] });
  expect(read(textParameter(3), [['b', 'x']])).toEqual({ a: undefined, problems: [] });
  expect(read(requiredText(3), [])).toEqual({ a: '', problems: [] });
});

it('counts the length of a text in code points, and says how long it may be', () => {
  const given = '😀😀😀';
  expect(read(textParameter(3), [['a', given]])).toEqual({ a: given, problems: [] });
  const problems = refused('a', given, 'najwyżej 2 znaki (podano 3)');
  expect(read(textParameter(2), [['a', given]])).toEqual({ a: undefined, problems });
  const long = refused('a', 'xxxxxx', 'najwyżej 5 znaków (podano 6)');
  expect(read(requiredText(5), [['a', 'xxxxxx']])).toEqual({ a: '', problems: long });
  expect(codePointLength('ż😀')).toBe(2);
});

it('has choices, and the default where there is none or another value', () => {
  const choice = z.enum(['one', 'two', 'six']).default('two');
  expect(read(choice, [['a', 'six']])).toEqual({ a: 'six', problems: [] });
  expect(read(choice, [])).toEqual({ a: 'two', problems: [] });
  const problems = refused('a', 'TWO', 'dozwolone wartości to one, two, six');
  expect(read(choice, [['a', 'TWO']])).toEqual({ a: 'two', problems });
});

it('has choices that must be made once', () => {
  const choice = z.enum(['one', 'two']);
  expect(read(choice, [['a', 'two']])).toEqual({ a: 'two', problems: [] });
  const absent = refused('a', '', 'dozwolone wartości to one, two');
  expect(read(choice, [])).toEqual({ a: 'one', problems: absent });
  const repeated = refused('a', 'two, two', 'można go podać tylko raz');
  expect(read(choice, Array(2).fill(['a', 'two']))).toEqual({ a: 'one', problems: repeated });
});

it('has whole numbers within their bounds, and the default for anything else', () => {
  const number = z.int().min(1).max(60).default(30);
  const bounds = 'liczba całkowita od 1 do 60';
  for (const given of ['1', '60', '007'])
    expect(read(number, [['a', given]])).toEqual({ a: Number(given), problems: [] });
  for (const given of ['-1', '0', '61', '1.0', '1e1', 'x1', '1x', '0x1', '٣', 'NaN', '0000000000000001'])
    expect(read(number, [['a', given]])).toEqual({ a: 30, problems: refused('a', given, bounds) });
  expect(read(number, [])).toEqual({ a: 30, problems: [] });
});

it('refuses what is given twice, and shows it all, cut to sixty characters', () => {
  const pairs = ['a=1', 'b=2', `a=${'😀'.repeat(100)}`].map((pair) => pair.split('=') as [string, string]);
  const problems = refused('a', `1, ${'😀'.repeat(57)}`, 'można go podać tylko raz');
  expect(read(textParameter(1_000), pairs)).toEqual({ a: undefined, problems });
});
