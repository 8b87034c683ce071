import fc from 'fast-check';
import { expect, it } from 'vitest';
import { highlightCode } from '#src/components/docs/highlight-code.ts';
import { unescapeHtml } from '../../support/page-text.ts';

const KINDS: Readonly<Record<string, string>> = { i: 'c', u: 's', b: 'w' };
/** Coloured parts in brackets, with the letter of their kind: comments, strings, words. */
const colour = (code: string): string =>
  highlightCode(code)
    .toString()
    .replace(/<([iub])>(.*?)<\/\1>/gs, (_, kind: string, text: string) => `${KINDS[kind]}[${text}]`);

it.each([
  ["const a = 'b'; // c", "w[const] a = s['b']; c[// c]"],
  ["fetch('https://a.example#b') // 'c'", "fetch(s['https://a.example#b']) c[// 'c']"],
  ['a = f"b {c}"  # d "e', 'a = fs["b {c}"]  c[# d "e]'],
  [String.raw`'a\'b' if c`, String.raw`s['a\'b'] w[if] c`],
  ['`a\n${b}` in c', 's[`a\n${b}`] w[in] c'],
  ["curl 'https://a.example/#b'", "curl s['https://a.example/#b']"],
  // Keys, attributes, parts of words, and a quote that is not closed.
  ...["f(type=1, { as: 2 }, Array.from(a), inner.format, don't)"].map((code) => [code, code]),
  ['if (a < b && c > d)', 'w[if] (a &lt; b &amp;&amp; c &gt; d)'],
  // An answer: names are words.
  ['{\n  "a": "const"\n}', '{\n  w["a"]: s["const"]\n}'],
  [String.raw`[{ "a\"": ["b: ", 1, null] }]`, String.raw`[{ w["a\""]: [s["b: "], 1, null] }]`],
])('%j', (code, coloured) => {
  expect(colour(code)).toBe(coloured);
});

it('colours change no letter, whatever the text', () => {
  const unit = fc.constantFrom(...'\'"`\\\n/# <>&;a{', 'const ', '&quot;', '&#39;', '</span>', '😀');
  fc.assert(
    fc.property(fc.string({ unit }), (code) => {
      const html = highlightCode(code).toString();
      expect(unescapeHtml(html.replace(/<[^>]+>/g, ''))).toBe(code);
    }),
  );
});
