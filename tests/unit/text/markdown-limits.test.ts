import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '#src/text/render-markdown.ts';
import { repeatTo } from './markdown-texts.ts';

const LENGTH_MAX = 20_000;
const WORDS = 'Sprzedający wziął przelew i zniknął';

function problemOf(markdown: string): string {
  const rendered = renderMarkdown(markdown);
  return rendered.ok ? 'none' : rendered.problem;
}

/** Lists inside each other, by indentation. */
function nestedList(levels: number): string {
  return Array.from({ length: levels }, (_, level) => `${'  '.repeat(level)}- a`).join('\n');
}

function table(columns: number, rows: number): string {
  const line = `${'| a '.repeat(columns)}|\n`;
  return `${line}${'|---'.repeat(columns)}|\n${line.repeat(rows - 1)}`;
}

describe('the limits of Markdown', () => {
  it.each([
    ['a plain text', `${WORDS}. `],
    ['paragraphs', `${WORDS}.\n\n`],
    ['lines of one paragraph', `**Nick:** ${WORDS} \`123\`\n`],
    ['bold words of one paragraph', '**nick**, '],
    ['names with underscores', 'user_name_x _kursywa_ __gruby__ '],
    ['a list', '- **a** b [c](https://d.pl/e_f)\n'],
    ['a numbered list with empty lines', `1. ${WORDS}\n\n`],
    ['a nested list', '- a\n  - b\n    - c\n      - d\n'],
    ['a quote in a quote', `> > ${WORDS}\n>\n> ${WORDS}\n\n`],
    ['code', 'if (a[i] < b && c*d_e) { return `x`; }\n'],
    ['links', '[zrzut ekranu](https://example.com/a_b?c=1&d=2 "tytuł"), '],
    ['addresses', 'https://discord.com/channels/123456789/123456789 '],
    ['references', '[zrzut][x] [1] [x] '],
    ['headings', `## ${WORDS}\n`],
    ['rules', `${WORDS}\n\n- - - - - - - - - -\n\n`],
    ['a log of a chat', '[12:34] <Jan_K> ~50 zł!!! :( ^_^ xD *płacze*\n'],
    ['JSON', '{"id_x": [1, 2], "url": "http://a.pl/b*c"}\n'],
    ['escaped marks', '\\*a\\* \\_b\\_ \\[c\\] '],
    ['unclosed marks', `* ${WORDS} ~5 zł *x _y `],
  ])('leave room for 20,000 characters of %s', (_, part) => {
    expect(problemOf(repeatTo(LENGTH_MAX, part))).toBe('none');
    expect(problemOf(`- ${repeatTo(LENGTH_MAX - 2, part)}`)).toBe('none');
    expect(problemOf(`\`\`\`\n${repeatTo(LENGTH_MAX - 4, part)}`)).toBe('none');
  });

  it.each([
    ['>', 20_000],
    ['> ', 10_000],
    ['1. ', 6_667],
    ['> - ', 10_000],
    ['+ > 2) ', 8_572],
  ])('refuse a line of %j', (part, levels) => {
    expect(problemOf(repeatTo(LENGTH_MAX, part))).toBe(
      `nested too deeply: ${levels} levels of quotes or lists on line 1; at most 12 are allowed`,
    );
  });

  it('count the levels of quotes and lists on each line', () => {
    expect(problemOf(`a\n\n${'> '.repeat(12)}b`)).toBe('none');
    expect(problemOf(`${'> '.repeat(6)}${'- '.repeat(6)}a`)).toBe('none');
    expect(problemOf(`a\r\n\r\n${'> '.repeat(13)}b`)).toBe(
      'nested too deeply: 13 levels of quotes or lists on line 3; at most 12 are allowed',
    );
  });

  it('do not take a horizontal rule for lists', () => {
    expect(problemOf('- '.repeat(100))).toBe('none');
    expect(problemOf('* '.repeat(100))).toBe('none');
    expect(problemOf(`> > ${'- '.repeat(100)}`)).toBe('none');
  });

  it('count levels that are made by indentation', () => {
    expect(problemOf(nestedList(12))).toBe('none');
    expect(problemOf(nestedList(13))).toBe(
      'nested too deeply: more than 12 levels of quotes or lists; at most 12 are allowed',
    );
  });

  it('count levels of emphasis', () => {
    expect(problemOf(`${'*'.repeat(60)}UWAGA${'*'.repeat(60)}`)).toBe('none');
    expect(problemOf(`${'*a _b '.repeat(16)}${'c_ d*'.repeat(16)}`)).toBe(
      'nested too deeply: more than 30 levels of emphasis or links; at most 30 are allowed',
    );
  });

  it.each([
    ['emphasis that is never closed', '_a'],
    ['emphasis that is never closed, with punctuation', '*0:'],
    ['strong emphasis that is never closed', 'a]**'],
    ['strikethrough that is never closed', '~ą)ą))'],
    ['emphasis next to code', '*0`a`'],
    ['brackets', '[['],
    ['exclamation marks', '!'],
    ['lines of one list item', '- a\n='],
  ])('refuse 20,000 characters of %s', (_, part) => {
    expect(problemOf(`- a\n${repeatTo(LENGTH_MAX - 4, part)}`)).toMatch(/^takes too much work to render: /);
  });

  it('refuse quotes that marked reads again and again', () => {
    expect(problemOf(repeatTo(LENGTH_MAX, '> > \n((((\n> '))).toMatch(/^takes too much work to render: /);
  });

  it('count the columns and cells of tables', () => {
    expect(problemOf(table(50, 100))).toBe('none');
    expect(problemOf(table(51, 2))).toBe('a table has 51 columns; at most 50 are allowed');
    expect(problemOf(table(50, 101))).toBe('tables have more than 5000 cells; at most 5000 are allowed');
    // Short rows are filled up to the width of the head.
    expect(problemOf(`${table(50, 1)}${'a\n'.repeat(100)}`)).toBe(
      'tables have more than 5000 cells; at most 5000 are allowed',
    );
  });

  it('count the characters of addresses that references repeat', () => {
    const definition = `[x]: http://a.pl/${'b'.repeat(1_900)}\n\n`;
    expect(problemOf(`${definition}${'[x] '.repeat(50)}`)).toBe('none');
    expect(problemOf(`${definition}${'[x] '.repeat(60)}`)).toBe(
      'links have more than 100000 characters of addresses; at most 100000 are allowed',
    );
  });

  it('end at 100,000 characters', () => {
    expect(problemOf('a'.repeat(100_000))).toBe('none');
    expect(problemOf('a'.repeat(100_001))).toBe('too long: 100001 characters; at most 100000 are allowed');
  });

  it('turn what marked stumbles over into a problem', () => {
    expect(problemOf('2) d\n\t>2) \na')).toBe('cannot be read as Markdown; simplify its lists and quotes');
  });
});
