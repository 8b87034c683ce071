import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foldText } from '#src/text/fold-text.ts';
import { trials } from '../../support/trials.ts';
import { CODE_POINTS } from './code-points.ts';

const anyText = fc.string({ unit: 'binary' });
/** Also halves of surrogate pairs and what search characters are made of, close to each other. */
const oddText = fc
  .array(
    fc.oneof(
      anyText,
      fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit)),
      fc.constantFrom(...'İıẞßſŁłΣςﬃ½ᴬ\u212a\u0345\u1fb3\u00ad\u200b\u3164\u1100\u1161\u11a8'),
    ),
  )
  .map((parts) => parts.join(''));

it.each([
  ['Zażółć gęślą jaźń', 'zazolc gesla jazn'],
  ['ＦＵＬＬ　ｗｉｄｔｈ', 'full width'],
  ['ﬃ Ĳ', 'ffi ij'],
  ['½ ² ㎏', '1⁄2 2 kg'],
  ['\u212aelvin \u212bngström', 'kelvin angstrom'],
  ['𝐀𝓑ℂ Ⓓ', 'abc d'],
  ['İstanbul ISPARTA ısı', 'istanbul isparta isi'],
  ['Straße STRAẞE', 'strasse strasse'],
  ['Æsir œuvre Øre Đorđe Ħal', 'aesir oeuvre ore dorde hal'],
  ['ΟΔΟΣ ΟΔΟΣΑ', 'οδοσ οδοσα'],
  ['a\u200bd\u00adm\u2060i\u034fn\ufeff', 'admin'],
  ['z\u0301\u0302\u0303\u0327a\u0332\u0333lgo', 'zalgo'],
  ['ǿ ǽ', 'o ae'],
  ['', ''],
  ['\u0301\u200d\ufe0f', ''],
])('folds %j to %j', (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

it.each(['%', '_', '"', "'", '*', '\\', '\0', '[a-z]', '<b>', '\n'])('leaves %j as it is', (mark) => {
  expect(foldText(mark)).toBe(mark);
  expect(foldText(`ą${mark}Ę`)).toBe(`a${mark}e`);
});

it('treats a lone surrogate as one plain character', () => {
  expect(foldText('A\ud800b')).toBe('a\ufffdb');
  expect(foldText('\ud835\u200b\udc00')).toBe('\ufffd\ufffd');
});

it('folds a text the same as its own fold', () => {
  fc.assert(
    fc.property(oddText, (text) => {
      const folded = foldText(text);
      expect(foldText(folded)).toBe(folded);
    }),
    { numRuns: trials(300, 2_000) },
  );
});

it('folds every single character to something stable', () => {
  const folds = CODE_POINTS.map((code) => foldText(String.fromCodePoint(code)));
  expect(folds.filter((folded) => foldText(folded) !== folded)).toEqual([]);
});

it('folds composed and decomposed forms alike', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(foldText(text.normalize('NFD'))).toBe(foldText(text.normalize('NFC')));
    }),
  );
});

it('finds a part of a text in the text', () => {
  const word = fc.constantFrom('ŻÓŁW', 'żółw ', 'Σίσυφος', 'ΟΔΟΣ', 'ﬃ', 'İ', 'ab%_c', '\u200b', 'ß');
  const words = fc.array(word);
  fc.assert(
    fc.property(words, words, words, (before, part, after) => {
      const whole = [...before, ...part, ...after].join('');
      expect(foldText(whole)).toContain(foldText(part.join('')));
    }),
  );
});
