/** The beginning of a reason, as rows of lists show it. Made when the reason is written. */

import { visibleBlocks } from './visible-text.ts';

/** Visible characters of it: five lines on a phone, and thirty rows of more would not fit the page's 10 kB. */
export const EXCERPT_MAX = 200;

const ELLIPSIS = '…';
const ASTRAL_FROM = 0x1_00_00;

/** Marks that end a sentence or bind it to the next: no „·” follows them. */
const ENDS_BLOCK = /[.:?!…”]$/;

/** @param html as visible-text.ts reads it @returns one line */
export function excerptOf(html: string): string {
  let line = '';
  for (const block of visibleBlocks(html)) {
    line += line === '' ? block : (ENDS_BLOCK.test(line) ? ' ' : ' · ') + block;
    if (line.length > 4 * EXCERPT_MAX) break;
  }
  const { text, isCut } = cutText(line);
  const isOpen = isCut && text.lastIndexOf('„') > text.lastIndexOf('”');
  return isOpen ? `${text}”` : text;
}

/**
 * @param text without markup
 * @returns the text on one line, cut at a word when it is longer than `max` code points
 */
export function cutText(text: string, max = EXCERPT_MAX): { readonly text: string; readonly isCut: boolean } {
  // A code point takes at most two units; what is far behind the cut need not be looked at.
  const line = text
    .slice(0, 4 * max)
    // White space that is not yet one single space.
    .replace(/[^\S ]\s*| \s+/gu, ' ')
    .trim();
  if (line.length <= max) return { text: line, isCut: false };
  const end = endOfPoints(line, max - 1);
  if (line.length <= end + pointLength(line, end)) return { text: line, isCut: false };
  const head = line.slice(0, end);
  const lastSpace = head.lastIndexOf(' ');
  const cut = lastSpace > max / 2 ? head.slice(0, lastSpace) : head;
  return { text: cut.replace(/(?<![\s.,;:·…–-])[\s.,;:·…–-]+$/u, '') + ELLIPSIS, isCut: true };
}

/** Where the first so many code points end. */
function endOfPoints(text: string, count: number): number {
  let end = 0;
  for (let seen = 0; seen < count; seen += 1) end += pointLength(text, end);
  return end;
}

/** In UTF-16 code units. */
function pointLength(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) >= ASTRAL_FROM ? 2 : 1;
}
