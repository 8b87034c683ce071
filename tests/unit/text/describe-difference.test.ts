import { describe, expect, it } from 'vitest';
import { describeDifference, isPolishOnly } from '#src/text/describe-difference.ts';

describe('a difference', () => {
  it.each([
    ['i', 'l', 'l zamiast i', '„l” zamiast „i”'],
    ['i', '', 'brak i', 'brak „i”'],
    ['', 'l', 'dodatkowo l', 'dodatkowo „l”'],
    ['I', 'l', 'małe l zamiast wielkiego I', 'małe „l” zamiast wielkiego „I”'],
    ['l', 'I', 'wielkie I zamiast małego l', 'wielkie „I” zamiast małego „l”'],
    ['o', '0', 'cyfra 0 zamiast o', 'cyfra „0” zamiast „o”'],
    ['1', 'i', 'i zamiast cyfry 1', '„i” zamiast cyfry „1”'],
    ['o', 'о', 'cyrylickie о zamiast o', 'cyrylickie „о” zamiast „o”'],
    ['ο', 'o', 'o zamiast greckiego ο', '„o” zamiast greckiego „ο”'],
    ['o', 'օ', 'ormiańskie օ zamiast o', 'ormiańskie „օ” zamiast „o”'],
    ['D', 'Ꭰ', 'czirokeskie Ꭰ zamiast D', 'czirokeskie „Ꭰ” zamiast „D”'],
    ['i', 'ו', 'hebrajskie ו zamiast i', 'hebrajskie „ו” zamiast „i”'],
    ['l', 'ا', 'arabskie ا zamiast l', 'arabskie „ا” zamiast „l”'],
    ['o', 'ဝ', 'niełacińskie ဝ zamiast o', 'niełacińskie „ဝ” zamiast „o”'],
    ['a', '𝐚', 'ozdobne 𝐚 zamiast a', 'ozdobne „𝐚” zamiast „a”'],
    ['a', 'ᴀ', 'ozdobne ᴀ zamiast a', 'ozdobne „ᴀ” zamiast „a”'],
    ['ś', 's', 's zamiast polskiego ś', '„s” zamiast polskiego „ś”'],
    ['a', 'é', 'é zamiast a', '„é” zamiast „a”'],
    ['_', ' ', 'odstęp zamiast znaku _', 'odstęp zamiast znaku „_”'],
    [' ', '.', 'znak . zamiast odstępu', 'znak „.” zamiast odstępu'],
    ['', '\u200b', 'dodatkowo niewidoczny znak U+200B', 'dodatkowo niewidoczny znak U+200B'],
    [
      '\u200b\u200d',
      '',
      'brak niewidocznych znaków U+200B U+200D',
      'brak niewidocznych znaków U+200B U+200D',
    ],
    ['', '\u0301', 'dodatkowo znak łączący U+0301', 'dodatkowo znak łączący U+0301'],
    ['\u0301\u0302', '', 'brak znaków łączących U+0301 U+0302', 'brak znaków łączących U+0301 U+0302'],
    ['', 'l\u200b', 'dodatkowo l i niewidoczny znak U+200B', 'dodatkowo „l” i niewidoczny znak U+200B'],
  ])('from %j to %j', (from, to, plain, quoted) => {
    expect(describeDifference(from, to)).toBe(plain);
    expect(describeDifference(from, to, (letters) => `„${letters}”`)).toBe(quoted);
  });

  it.each([
    ['ś', 's', true],
    ['l', 'Ł', true],
    ['ś', 'z', false],
    ['s', 's', false],
    ['é', 'e', false],
  ])('from %j to %j is one of Polish letters only: %s', (from, to, expected) => {
    expect(isPolishOnly({ from, to })).toBe(expected);
  });
});
