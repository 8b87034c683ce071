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
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]+$/u;
const MARKS = /^\p{M}+$/u;
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
  const parts = letters.match(INVISIBLE_OR_NOT) ?? [];
  if (parts.length > 1) {
    const cases = parts.map((part) => describe(part, other, quote));
    return [
      cases.map(([nominative]) => nominative).join(' i '),
      cases.map(([, genitive]) => genitive).join(' i '),
    ];
  }
  if (/^\s+$/.test(letters)) return ['odstęp', 'odstępu'];
  const isSeen = !INVISIBLE.test(letters) && !MARKS.test(letters);
  const shown = isSeen ? quote(letters.trim()) : codesOf(letters);
  const kind = kindOf(letters, other);
  return kind ? [`${kind[0]} ${shown}`, `${kind[1]} ${shown}`] : [shown, shown];
}

function kindOf(letters: string, other: string): Cases | undefined {
  const isOne = codePointLength(letters) === 1;
  if (INVISIBLE.test(letters))
    return isOne
      ? ['niewidoczny znak', 'niewidocznego znaku']
      : ['niewidoczne znaki', 'niewidocznych znaków'];
  if (MARKS.test(letters))
    return isOne ? ['znak łączący', 'znaku łączącego'] : ['znaki łączące', 'znaków łączących'];
  if (letters === 'I') return ['wielkie', 'wielkiego'];
  if (letters === 'l' && STROKES.test(other)) return ['małe', 'małego'];
  if (/^[0-9]$/.test(letters)) return ['cyfra', 'cyfry'];
  if (/^[a-z]+$/i.test(letters)) return undefined;
  if (POLISH.test(letters)) return ['polskie', 'polskiego'];
  const script = SCRIPTS.find(([pattern]) => pattern.test(letters));
  if (script) return script[1];
  if (letters.normalize('NFKC') !== letters || /[ᴀ-ᴢʀʏʙɢʜɪʟɴꜰꜱꞯ]|\p{So}/u.test(letters))
    return ['ozdobne', 'ozdobnego'];
  if (/\p{L}/u.test(letters) && !/\p{Script=Latin}/u.test(letters)) return ['niełacińskie', 'niełacińskiego'];
  return /[\p{L}\p{N}]/u.test(letters) ? undefined : ['znak', 'znaku'];
}

function codesOf(letters: string): string {
  return Array.from(
    letters,
    (point) => `U+${(point.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  ).join(' ');
}
