import { foldText } from '../text/fold-text.ts';
import type { Difference, NormalizedName } from '../text/look-alike.ts';

export interface NamePart {
  readonly text: string;
  /** The entry matches the search, or the nick that it resembles does. */
  readonly isMarked: boolean;
}

/** @param folded the search, folded */
export function markMatch(name: string, folded: string): readonly NamePart[] {
  const points = [...name];
  let text = '';
  /** For each unit of the folded text, the code point of the name that it came from. */
  const origins: number[] = [];
  for (const [place, point] of points.entries()) {
    const part = foldText(point);
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

/** Characters as readers see them: a letter with its marks, an emoji with its joiners. */
const clusters = new Intl.Segmenter('pl');

/**
 * @param differences of the name from another one
 * @returns the name in its NFC form, the characters that differ marked as wholes; neighbours are one part
 */
export function markDifferences({ points }: NormalizedName, differences: readonly Difference[]): NamePart[] {
  const marked = new Set(differences.flatMap(({ at, to }) => Array.from(to, (_point, place) => at + place)));
  const parts: { text: string; isMarked: boolean }[] = [];
  let place = 0;
  for (const { segment } of clusters.segment(points.join(''))) {
    const isMarked = Array.from(segment, () => marked.has(place++)).includes(true);
    const last = parts.at(-1);
    if (last?.isMarked === isMarked) last.text += segment;
    else parts.push({ text: segment, isMarked });
  }
  return parts;
}
