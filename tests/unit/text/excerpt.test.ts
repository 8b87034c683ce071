import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutText, EXCERPT_MAX } from '#src/text/excerpt.ts';

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
  return { text: cut.replace(/[\s,;:–-]+$/u, '') + '…', isCut: true };
}

const PIECES = [
  'a',
  'ż',
  '🦊',
  '\ud83e',
  '\udd8a',
  'e\u0301',
  ' ',
  '  ',
  '\n',
  '\t',
  '\u00a0',
  '\u2028',
  '\ufeff',
];
const texts = fc
  .array(fc.constantFrom(...PIECES, ', ', '–', '-', ';', ':', 'słowo ', 'słowo'), { maxLength: 60 })
  .map((pieces) => pieces.join(''));

describe('cutText', () => {
  it('cuts as the simple way does, near every bound', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 40 }), (text, max) => {
        expect(cutText(text, max)).toEqual(cutSimply(text, max));
      }),
      { numRuns: 5_000 },
    );
  });

  it('cuts long texts as the simple way does', () => {
    const long = fc.tuple(texts, fc.integer({ min: 1, max: 40 })).map(([text, times]) => text.repeat(times));
    fc.assert(
      fc.property(fc.oneof(long, fc.string({ unit: 'binary', maxLength: 1_500 })), (text) => {
        expect(cutText(text)).toEqual(cutSimply(text, EXCERPT_MAX));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['', '', false],
    ['a\n\nb\tc', 'a b c', false],
    ['ż'.repeat(320), 'ż'.repeat(320), false],
    ['ż'.repeat(321), 'ż'.repeat(319) + '…', true],
    ['🦊'.repeat(320), '🦊'.repeat(320), false],
    ['🦊'.repeat(321), '🦊'.repeat(319) + '…', true],
  ])('cuts %j', (text, cut, isCut) => {
    expect(cutText(text)).toEqual({ text: cut, isCut });
  });

  it('ends at a word, without what ties it to the next', () => {
    expect(cutText('jeden – dwa', 9)).toEqual({ text: 'jeden…', isCut: true });
  });
});
