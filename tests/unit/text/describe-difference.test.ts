import { expect, it } from 'vitest';
import { describeDifference, isPolishOnly } from '#src/text/describe-difference.ts';

it.each([
  ['i', 'l', '„l” zamiast „i”'],
  ['i', '', 'brak „i”'],
  ['', 'l', 'dodatkowo „l”'],
  ['I', 'l', 'małe „l” zamiast wielkiego „I”'],
  ['l', 'I', 'wielkie „I” zamiast małego „l”'],
  ['o', '0', 'cyfra „0” zamiast „o”'],
  ['1', 'i', '„i” zamiast cyfry „1”'],
  ['o', 'о', 'cyrylickie „о” zamiast „o”'],
  ['ο', 'o', '„o” zamiast greckiego „ο”'],
  ['o', 'օ', 'ormiańskie „օ” zamiast „o”'],
  ['D', 'Ꭰ', 'czirokeskie „Ꭰ” zamiast „D”'],
  ['i', 'ו', 'hebrajskie „ו” zamiast „i”'],
  ['l', 'ا', 'arabskie „ا” zamiast „l”'],
  ['o', 'ဝ', 'niełacińskie „ဝ” zamiast „o”'],
  ['a', '𝐚', 'ozdobne „𝐚” zamiast „a”'],
  ['a', 'ᴀ', 'ozdobne „ᴀ” zamiast „a”'],
  ['ś', 's', '„s” zamiast polskiego „ś”'],
  ['a', 'é', '„é” zamiast „a”'],
  ['_', ' ', 'odstęp zamiast znaku „_”'],
  [' ', '.', 'znak „.” zamiast odstępu'],
  ['', '\u200b', 'dodatkowo niewidoczny znak U+200B'],
  ['\u200b\u200d', '', 'brak niewidocznych znaków U+200B U+200D'],
  ['', '\u0301', 'dodatkowo znak łączący U+0301'],
  ['\u0301\u0302', '', 'brak znaków łączących U+0301 U+0302'],
  ['', 'l\u200b', 'dodatkowo „l” i niewidoczny znak U+200B'],
])('from %j to %j', (from, to, quoted) => {
  expect(describeDifference(from, to)).toBe(quoted.replace(/[„”]/g, ''));
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
