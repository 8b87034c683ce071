import { expect, it } from 'vitest';
import { excerptOf } from '#src/text/excerpt.ts';

const MAX = 200;

it.each([
  ['', ''],
  [
    '<p>co do grosza</p>\n<h3>Zakres i zasady</h3>\n<ul>\n<li>jasne zasady</li>\n<li>jedno konto</li>\n</ul>',
    'co do grosza · Zakres i zasady · jasne zasady · jedno konto',
  ],
  [
    '<p>Odpowiedź:</p>\n<blockquote>\n<p>po co przepłacać</p>\n</blockquote>\n<p>Kod zniknął.</p>',
    'Odpowiedź: „po co przepłacać” Kod zniknął.',
  ],
  ['<blockquote>\n<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>\n<p>c</p>\n</blockquote>', '„a · b · c”'],
  ['<blockquote>\n<p>„a”</p>\n</blockquote>', '„a”'],
  ['<blockquote>\n</blockquote>\n<p>a</p>', 'a'],
  ['<p>a</p>\n<blockquote>\n</blockquote>', 'a'],
  ['<p>&lt;blockquote&gt;</p>', '<blockquote>'],
  ['<pre><code>k: kod?\nx: nie\n</code></pre>', 'k: kod? x: nie'],
  ['<p>Kanał <code>#giełda</code>, tanio</p>', 'Kanał #giełda, tanio'],
  ['<table>\n<thead>\n<tr>\n<th>Kwota</th>\n<th>85 zł</th>\n</tr>\n</thead>\n</table>', 'Kwota · 85 zł'],
])('of %j is %j', (html, text) => {
  expect(excerptOf(html)).toBe(text);
});

it('closes a quotation that it cuts, and none that is closed', () => {
  const words = 'słowo '.repeat(80).trim();
  expect(excerptOf(`<blockquote>\n<p>${words}</p>\n</blockquote>`)).toMatch(/^„słowo .*słowo…”$/);
  expect(excerptOf(`<p>„a” ${words}</p>`)).toMatch(/słowo…$/);
});

it.each([
  ['ż'.repeat(MAX), 'ż'.repeat(MAX)],
  ['🦊'.repeat(MAX), '🦊'.repeat(MAX)],
  ['🦊'.repeat(MAX + 1), '🦊'.repeat(MAX - 1) + '…'],
  [`${'ż'.repeat(50)} ${'a'.repeat(160)}`, `${'ż'.repeat(50)} ${'a'.repeat(148)}…`],
  // It ends at a word, without what ties it to the next.
  [`${'ż'.repeat(150)} – ${'a'.repeat(60)}`, `${'ż'.repeat(150)}…`],
])('of %j is %j', (text, excerpt) => {
  expect(excerptOf(`<p>${text}</p>`)).toBe(excerpt);
});
