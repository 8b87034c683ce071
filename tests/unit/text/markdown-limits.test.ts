import { expect, it } from 'vitest';
import { renderMarkdown } from '#src/text/render-markdown.ts';
import { repeatTo } from './markdown-texts.ts';

const LENGTH_MAX = 20_000;
const WORDS = 'Sprzedający wziął przelew i zniknął';
const UNREADABLE = 'cannot be read as Markdown; simplify its lists and quotes';

function problemOf(markdown: string): string {
  const rendered = renderMarkdown(markdown);
  return rendered.ok ? 'none' : rendered.problem;
}

it.each([
  ['a plain text', `${WORDS}. `],
  ['lines of one paragraph', `**Nick:** ${WORDS} \`123\`\n`],
  ['names with underscores', 'user_name_x _kursywa_ __gruby__ '],
  ['a list', '- **a** b [c](https://d.pl/e_f)\n'],
  ['a quote in a quote', `> > ${WORDS}\n>\n> ${WORDS}\n\n`],
  ['links', '[zrzut ekranu](https://example.com/a_b?c=1&d=2 "tytuł"), '],
  ['references', '[zrzut][x] [1] [x] '],
  ['a log of a chat', '[12:34] <Jan_K> ~50 zł!!! :( ^_^ xD *płacze*\n'],
])('leave room for 20,000 characters of %s', (_, part) => {
  expect(problemOf(repeatTo(LENGTH_MAX, part))).toBe('none');
  expect(problemOf(`- ${repeatTo(LENGTH_MAX - 2, part)}`)).toBe('none');
});

it('count the HTML, which references to one long address and short rows of a wide table make long', () => {
  const definition = `[x]: http://a.pl/${'b'.repeat(1_900)}\n\n`;
  expect(problemOf(`${definition}${'[x] '.repeat(50)}`)).toBe('none');
  const problem = /^becomes \d{6} characters of HTML; at most 200000 are allowed$/;
  expect(problemOf(`${definition}${'[x] '.repeat(150)}`)).toMatch(problem);
  const head = `${'| a '.repeat(500)}|\n${'|---'.repeat(500)}|\n`;
  expect(problemOf(`${head}${'a\n'.repeat(100)}`)).toMatch(/^becomes \d+ characters of HTML/);
});

it('turn what marked stumbles over into a problem, and what is too deep for the stack', () => {
  expect(problemOf('2) d\n\t>2) \na')).toBe(UNREADABLE);
  expect(problemOf('>'.repeat(5_000))).toBe(UNREADABLE);
});
