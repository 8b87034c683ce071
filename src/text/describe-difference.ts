/** How similar names differ, in Polish: „cyrylickie о zamiast o”, „l zamiast i”, „dodatkowo znak _”. */
import { foldText } from './fold-text.ts';
import { codePointLength } from './read-query.ts';

type Cases = readonly [string, string];

const POLISH = /^[ąćęłńóśźż]+$/i;
const SCRIPTS: readonly (readonly [RegExp, Cases])[] = [
  [/\p{Script=Cyrillic}/u, ['cyrylickie', 'cyrylickiego']],
  [/\p{Script=Greek}/u, ['greckie', 'greckiego']],
  [/\p{Script=Armenian}/u, ['ormiańskie', 'ormiańskiego']],
  [/\p{Script=Cherokee}/u, ['czirokeskie', 'czirokeskiego']],
  [/\p{Script=Hebrew}/u, ['hebrajskie', 'hebrajskiego']],
  [/\p{Script=Arabic}/u, ['arabskie', 'arabskiego']],
];
const ALPHABET: Cases = ['niełacińskie', 'niełacińskiego'];
const DRAWN: Cases = ['ozdobne', 'ozdobnego'];
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]+$/u;
const INVISIBLE_OR_NOT =
  /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]+|[^\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]+/gu;
/** Easily confused, so the bare letter says nothing. */
const STROKES = /^[I1|!]$/;

type Quote = (letters: string) => string;

/** @param quote marks letters such as „i”, which is also a word */
export function describeDifference(from: string, to: string, quote: Quote = (letters) => letters): string {
  if (from === '') return `dodatkowo ${describe(to, from, quote)[0]}`;
  if (to === '') return `brak ${describe(from, to, quote)[1]}`;
  return `${describe(to, from, quote)[0]} zamiast ${describe(from, to, quote)[1]}`;
}

/** For two names, one above the other: „u góry jest małe „l”, na dole „i””. */
export function compareLetters(above: string, below: string, quote: Quote): string {
  if (below === '') return `na dole nie ma ${describe(above, below, quote)[1]}`;
  if (above === '') return `na dole jest jeszcze ${describe(below, above, quote)[0]}`;
  return `u góry jest ${describe(above, below, quote)[0]}, na dole ${describe(below, above, quote)[0]}`;
}

export function isPolishOnly({ from, to }: { readonly from: string; readonly to: string }): boolean {
  return (POLISH.test(from) || POLISH.test(to)) && foldText(from) === foldText(to);
}

function describe(letters: string, other: string, quote: Quote): Cases {
  const quoted = quote(letters.trim());
  const parts = letters.match(INVISIBLE_OR_NOT) ?? [];
  if (parts.length > 1) {
    const cases = parts.map((part) => describe(part, other, quote));
    return [
      cases.map(([nominative]) => nominative).join(' i '),
      cases.map(([, genitive]) => genitive).join(' i '),
    ];
  }
  if (/^\s+$/.test(letters)) return ['odstęp', 'odstępu'];
  const isOne = codePointLength(letters) === 1;
  if (INVISIBLE.test(letters))
    return isOne
      ? [`niewidoczny znak ${codesOf(letters)}`, `niewidocznego znaku ${codesOf(letters)}`]
      : [`niewidoczne znaki ${codesOf(letters)}`, `niewidocznych znaków ${codesOf(letters)}`];
  if (/^\p{M}+$/u.test(letters))
    return isOne
      ? [`znak łączący ${codesOf(letters)}`, `znaku łączącego ${codesOf(letters)}`]
      : [`znaki łączące ${codesOf(letters)}`, `znaków łączących ${codesOf(letters)}`];
  if (letters === 'I') return [`wielkie ${quoted}`, `wielkiego ${quoted}`];
  if (letters === 'l' && STROKES.test(other)) return [`małe ${quoted}`, `małego ${quoted}`];
  if (/^[0-9]$/.test(letters)) return [`cyfra ${quoted}`, `cyfry ${quoted}`];
  if (/^[a-z]+$/i.test(letters)) return [quoted, quoted];
  const kind = kindOf(letters);
  if (kind) return [`${kind[0]} ${quoted}`, `${kind[1]} ${quoted}`];
  return /[\p{L}\p{N}]/u.test(letters) ? [quoted, quoted] : [`znak ${quoted}`, `znaku ${quoted}`];
}

function kindOf(letters: string): Cases | undefined {
  if (POLISH.test(letters)) return ['polskie', 'polskiego'];
  const script = SCRIPTS.find(([pattern]) => pattern.test(letters));
  if (script) return script[1];
  if (letters.normalize('NFKC') !== letters || /[ᴀ-ᴢʀʏʙɢʜɪʟɴꜰꜱꞯ]|\p{So}/u.test(letters)) return DRAWN;
  return /\p{L}/u.test(letters) && !/\p{Script=Latin}/u.test(letters) ? ALPHABET : undefined;
}

function codesOf(letters: string): string {
  return Array.from(
    letters,
    (point) => `U+${(point.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  ).join(' ');
}
