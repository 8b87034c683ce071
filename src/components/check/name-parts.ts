/** The part of a name that a search matched, and letters that only look Latin. */
import type { NickPiece } from './answer.ts';

/**
 * @param folded the search, folded
 * @param fold the folding that the search itself uses
 * @returns pieces of the name; the piece that matches the search is marked
 */
export function splitName(
  name: string,
  folded: string,
  fold: (text: string) => string,
): readonly NickPiece[] {
  const points = [...name];
  let text = '';
  /** For each unit of the folded text, the code point of the name that it came from. */
  const origins: number[] = [];
  for (const [place, point] of points.entries()) {
    const part = fold(point);
    text += part;
    for (let unit = 0; unit < part.length; unit += 1) origins.push(place);
  }
  const start = text.indexOf(folded);
  const first = origins[start];
  if (folded === '' || first === undefined) return [{ text: name, isMarked: false }];
  // Marks that folding drops belong to the letter before them.
  const end = origins[start + folded.length] ?? points.length;
  return [
    { text: points.slice(0, first).join(''), isMarked: false },
    { text: points.slice(first, end).join(''), isMarked: true },
    { text: points.slice(end).join(''), isMarked: false },
  ];
}

export interface ForeignLetters {
  readonly script: 'Cyrillic' | 'Greek';
  readonly letters: readonly string[];
}

/** Letters of another script inside a Latin name: a way to copy somebody's nick. */
export function foreignLetters(name: string): ForeignLetters | undefined {
  if (!/\p{Script=Latin}/u.test(name)) return undefined;
  for (const [script, pattern] of [
    ['Cyrillic', /\p{Script=Cyrillic}/gu],
    ['Greek', /\p{Script=Greek}/gu],
  ] as const) {
    const letters = [...new Set(name.match(pattern))];
    if (letters.length > 0) return { script, letters };
  }
  return undefined;
}
