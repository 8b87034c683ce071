import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutText, EXCERPT_MAX, excerptOf } from '#src/text/excerpt.ts';
import { trials } from '../../support/trials.ts';

/** The same over whole arrays of code points: slow, and simple enough to be believed. */
function cutSimply(text: string, max: number): { text: string; isCut: boolean } {
  const line = text
    .slice(0, 4 * max)
    .replace(/\s+/gu, ' ')
    .trim();
  const points = [...line];
  if (points.length <= max) return { text: line, isCut: false };
  const head = points.slice(0, max - 1).join('');
  const lastSpace = head.lastIndexOf(' ');
  const cut = lastSpace > max / 2 ? head.slice(0, lastSpace) : head;
  return { text: cut.replace(/[\s.,;:·…–-]+$/u, '') + '…', isCut: true };
}

const PIECES = [
  ...'aż🦊.… \n\t\u00a0\u2028\ufeff–-;:',
  '\ud83e',
  '\udd8a',
  'e\u0301',
  '  ',
  ', ',
  'słowo ',
  'słowo',
];
const texts = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 60, size: 'max' })
  .map((pieces) => pieces.join(''));

describe('the excerpt of a reason', () => {
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
});

describe('cutText', () => {
  it('cuts as the simple way does, near every bound', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 40 }), (text, max) => {
        expect(cutText(text, max)).toEqual(cutSimply(text, max));
      }),
      { numRuns: trials(1_000, 10_000) },
    );
  });

  it('cuts long texts as the simple way does', () => {
    const long = fc.tuple(texts, fc.integer({ min: 1, max: 40 })).map(([text, times]) => text.repeat(times));
    fc.assert(
      fc.property(fc.oneof(long, fc.string({ unit: 'binary', maxLength: 1_500, size: 'max' })), (text) => {
        expect(cutText(text)).toEqual(cutSimply(text, EXCERPT_MAX));
      }),
      { numRuns: trials(200, 2_000) },
    );
  });

  it.each([
    ['', '', false],
    ['a\n\nb\tc', 'a b c', false],
    ['ż'.repeat(EXCERPT_MAX), 'ż'.repeat(EXCERPT_MAX), false],
    ['ż'.repeat(EXCERPT_MAX + 1), 'ż'.repeat(EXCERPT_MAX - 1) + '…', true],
    ['🦊'.repeat(EXCERPT_MAX), '🦊'.repeat(EXCERPT_MAX), false],
    ['🦊'.repeat(EXCERPT_MAX + 1), '🦊'.repeat(EXCERPT_MAX - 1) + '…', true],
  ])('cuts %j', (text, cut, isCut) => {
    expect(cutText(text)).toEqual({ text: cut, isCut });
  });

  it('ends at a word, without what ties it to the next', () => {
    expect(cutText('jeden – dwa', 9)).toEqual({ text: 'jeden…', isCut: true });
    expect(cutText('Jeden dwa. Trzy cztery', 15)).toEqual({ text: 'Jeden dwa…', isCut: true });
  });
});
