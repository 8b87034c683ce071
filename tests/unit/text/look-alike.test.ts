import fc from 'fast-check';
import { versions } from 'node:process';
import { describe, expect, it } from 'vitest';
import table from '#src/text/confusables.json' with { type: 'json' };
import { foldText } from '#src/text/fold-text.ts';
import { lookAlikeKey } from '#src/text/look-alike-key.ts';
import { describeDifference } from '#src/text/describe-difference.ts';
import { compareNames, compareToTrusted, findDifferences, normalizeName } from '#src/text/look-alike.ts';
import { measureHeap } from '../../support/measure-heap.ts';
import { CODE_POINTS } from './code-points.ts';
import {
  AFFIXED,
  GAMERS,
  POLISH,
  readPairs,
  SPOOFS,
  STRANGERS,
  SWAPPED,
  TRUSTED,
} from './look-alike-pairs.ts';

const compare = (asked: string, listed: string) => compareNames(normalizeName(asked), normalizeName(listed));
const differ = (asked: string, listed: string): string[] =>
  findDifferences(normalizeName(asked), normalizeName(listed)).map(({ from, to }) =>
    describeDifference(from, to),
  );

const point = (code: string): string => String.fromCodePoint(Number.parseInt(code, 16));
/** Characters that Unicode's table treats as interchangeable. */
const CONFUSABLES = Object.entries(table.prototypes).flatMap(([prototype, sources]) =>
  sources.split(' ').map((source) => [point(source), prototype.split(' ').map(point).join('')] as const),
);
/** Compatibility forms of ASCII, marks, and β (which the table takes for ß) are ours before they are the table's. */
const isOurs = (source: string): boolean =>
  foldText(source) === '' ||
  /^[!-~]+$/.test(source.normalize('NFKC').normalize('NFD').replace(/\p{M}/gu, '')) ||
  source === 'β';
const OWN = [
  ...Array.from('012i|!34@5$789', (from, at) => [from, 'olzllleaasstbg'[at] ?? ''] as const),
  ['m', 'rn'],
  ['w', 'vv'],
  ['d', 'cl'],
  ['ᴋ', 'k'],
  ['ᴍ', 'm'],
  ['ʀ', 'r'],
  ['🅐', 'a'],
  ['➊', '1'],
] as const;
const SUBSTITUTIONS = [...CONFUSABLES.filter(([source]) => !isOurs(source)), ...OWN];

describe('the look-alike key', () => {
  it('is made of the confusables of the Unicode version of Node', () => {
    expect(table.version.startsWith(`${versions.unicode}.`)).toBe(true);
  });

  it.each([
    ['Lis_Posrednik', 'llsposreclnlk'],
    ['ŻÓŁW', 'zolvv'],
    ['vvv', 'vvv'],
    ['Kacper2007', 'kacperzoot'],
    ['Bartek™', 'bartek'],
    ['\u0301\u200b', ''],
    // Unicode's table takes these for other letters than those that they are forms of.
    ['öņţțṃ', 'onttrn'],
    ['ſʳˡˢᴾᶻ⁹', 'srlspzg'],
    ['⑩ⒸⓅⓇ⓪｜', 'locprol'],
    // Vowel signs, which it takes for letters.
    ['\u0b03\u0bbe\u0c02', ''],
  ])('of %s is %s', (name, key) => {
    expect(lookAlikeKey(name)).toBe(key);
  });

  it('takes at most 5 MB for a name of 150,000 characters', () => {
    const heapBefore = measureHeap();
    for (let code = 0x20000; code < 0x449f0; code += 1) lookAlikeKey(String.fromCodePoint(code));
    expect(measureHeap() - heapBefore).toBeLessThan(5 * 1024 * 1024);
    // It is still in use, so what it holds was alive until here.
    expect(lookAlikeKey('ż')).toBe('z');
  });

  it('consists, for every code point, of letters and digits that stay as they are', () => {
    for (const code of CODE_POINTS) {
      const key = lookAlikeKey(String.fromCodePoint(code));
      if (!/^[\p{L}\p{N}]*$/u.test(key) || lookAlikeKey(key) !== key)
        expect.fail(`U+${code.toString(16)} becomes ${key}`);
    }
  });

  it('knows each substitution', () => {
    const wrong = SUBSTITUTIONS.filter(([from, to]) => lookAlikeKey(from) !== lookAlikeKey(to));
    expect(wrong).toEqual([]);
    expect(SUBSTITUTIONS.length).toBeGreaterThan(5_000);
  });
});

describe('two names', () => {
  const others = [...readPairs(POLISH).slice(0, 100), ...readPairs(GAMERS).slice(0, 100)];

  it('count as alike in 98 of 100 spoofs, and in one of 200 others', () => {
    expect(SPOOFS.length).toBe(100);
    expect(others.length).toBe(200);
    const missed = SPOOFS.filter(([asked, listed]) => compare(asked, listed) === undefined);
    const mistaken = others.filter(([one, other]) => compare(one, other) !== undefined);
    expect(missed.length, JSON.stringify(missed)).toBeLessThanOrEqual(2);
    expect(mistaken.length, JSON.stringify(mistaken)).toBeLessThanOrEqual(1);
  });

  it('count as alike in sixty imitations with a word around a trusted name', () => {
    expect(AFFIXED.length).toBe(60);
    for (const [asked, name] of AFFIXED)
      expect(compareToTrusted(normalizeName(asked), normalizeName(name)), asked).toBe('affix');
  });

  it('count as alike when any two neighbouring letters of a trusted name are swapped', () => {
    expect(new Set(SWAPPED.map(([, name]) => name)).size).toBe(TRUSTED.length);
    expect(SWAPPED.filter(([asked, name]) => compare(asked, name) === undefined)).toEqual([]);
  });

  it('do not count as alike among twelve hundred strangers and thirty trusted names', () => {
    expect([STRANGERS.length, TRUSTED.length]).toEqual([1_200, 30]);
    const trusted = TRUSTED.map(normalizeName);
    const mistaken = STRANGERS.flatMap((name) => {
      const asked = normalizeName(name);
      return trusted.filter((other) => compareToTrusted(asked, other)).map((other) => [name, other.name]);
    });
    expect(mistaken).toEqual([]);
  });

  it.each([
    ['oliwka_pl', 'Oliwka', 'affix'],
    ['oliwka.legit', 'Oliwka', 'affix'],
    ['xOliwkax', 'Oliwka', 'affix'],
    ['亗Oliwka亗', 'Oliwka', 'affix'],
    // Shorter names are parts of too many.
    ['marek_pl', 'marek', undefined],
    ['oliwka24', 'oliwka', undefined],
    ['oliwka_i_spolka', 'oliwka', undefined],
    ['Lis_Posrednik24', 'Lis_Posrednik', 'affix'],
    ['Lis_Posrednik_2_mm', 'Lis_Posrednik', 'affix'],
    ['zaufany_handlarz20', 'zaufany_handlarz2', undefined],
    ['zaufany_handlarz2_pl', 'zaufany_handlarz2', 'affix'],
    // A long one is found at either end of up to twice as long a name, whatever is beside it.
    ['Lis_Posrednik_pomo', 'Lis_Posrednik', 'affix'],
    ['xXLis_PosrednikXx', 'Lis_Posrednik', 'affix'],
    ['zastepca_lis_posrednik', 'Lis_Posrednik', 'affix'],
    ['zaufany_handlarz2_xyz', 'zaufany_handlarz2', 'affix'],
    ['zaufany_handlarz21_xyz', 'zaufany_handlarz2', undefined],
    ['BłękitnyTramwajXD', 'BłękitnyTramwaj', 'affix'],
    ['znam_osobe_Lis_Posrednik_od_lat', 'Lis_Posrednik', undefined],
    ['Lis_Posrednik_to_moj_dobry_znajomy', 'Lis_Posrednik', undefined],
    // A word alone, and a short name, are parts of too many.
    ['małopolanin_jan', 'małopolanin', undefined],
    ['ola_montujemy', 'ola_montuje', 'affix'],
    ['Zły_Ślimaczek', 'Zły_Ślimak', undefined],
    ['Jan_Kotek_kupuje', 'Jan_Kotek', undefined],
    ['Karolak', 'Ola', undefined],
    // Only a trusted name is looked for in longer ones.
    ['oliwka', 'oliwka_pl', undefined],
    ['official', 'official', 'same_name'],
    ['pomoc_pl', 'pomoc', undefined],
  ])('%s and the trusted %s: %s', (asked, trusted, why) => {
    expect(compareToTrusted(normalizeName(asked), normalizeName(trusted))).toBe(why);
  });

  it('look alike or not whichever is asked', () => {
    for (const [one, other] of [...SPOOFS, ...others, ...SWAPPED])
      expect(compare(one, other)).toBe(compare(other, one));
  });

  it('say what makes them differ, and can be put together from it', () => {
    const pairs = [...SPOOFS, ...AFFIXED, ...SWAPPED];
    const turned = pairs.map(([one, other]) => [other, one] as const);
    fc.assert(
      fc.property(fc.constantFrom(...pairs, ...turned), ([one, other]) => {
        const [asked, listed] = [normalizeName(one), normalizeName(other)];
        const points = [...asked.points];
        const differences = findDifferences(asked, listed);
        expect(differences.every(({ from, to }) => describeDifference(from, to) !== '')).toBe(true);
        for (const { at, from, to } of differences.toReversed()) {
          expect(points.slice(at, at + [...to].length).join('')).toBe(to);
          points.splice(at, [...to].length, from);
        }
        expect(points.join('').toLowerCase()).toBe(listed.points.join('').toLowerCase());
      }),
    );
  });

  it.each([
    ['LIS', 'lis', 'same_name'],
    ['Iis', 'Lis', 'same_shape'],
    ['posredmik', 'posrednik', 'one_edit'],
    ['dmoinik', 'dominik', 'one_edit'],
    ['gracz1243', 'gracz1234', undefined],
    ['gracz_x1y', 'gracz_1xy', undefined],
    ['marekk', 'marek', undefined],
    ['Kacper2007', 'Kacper2008', undefined],
    ['kacper200', 'kacper2000', undefined],
    ['gracz_x1', 'gracz_x', undefined],
    ['', '', undefined],
    ['😀', '😀', undefined],
  ])('%s and %s: %s', (one, other, why) => {
    expect(compare(one, other)).toBe(why);
  });

  it.each([
    ['Lis_Posrednlk', 'Lis_Posrednik', ['l zamiast i']],
    ['rnarek', 'Marek', ['rn zamiast M']],
    ['kupskin24', 'kupskin_24', ['brak znaku _']],
    ['Lis_\u200bPosrednik', 'Lis_Posrednik', ['dodatkowo niewidoczny znak U+200B']],
    ['LisPosrednik', 'Lis\u200b_Posrednik', ['brak niewidocznego znaku U+200B i znaku _']],
    ['Lis_Posredink', 'Lis_Posrednik', ['in zamiast ni']],
    ['oPsrednik', 'Posrednik', ['oP zamiast Po']],
    ['real_Lis_Posrednik pl', 'Lis_Posrednik', ['dodatkowo real_', 'dodatkowo pl']],
    ['Iis_Posrednik24', 'Lis_Posrednik', ['wielkie I zamiast L', 'dodatkowo 24']],
    ['admin', 'ADMIN', []],
  ])('%s instead of %s: %j', (asked, listed, texts) => {
    expect(differ(asked, listed)).toEqual(texts);
  });
});
