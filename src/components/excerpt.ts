/** Visible characters of a reason that a row of a list shows. Thirty rows of more would not fit the page's 10 kB. */
export const EXCERPT_MAX = 320;

const ELLIPSIS = '…';

/**
 * @param text without markup
 * @returns the text on one line, cut at a word when it is longer than `max` code points
 */
export function cutText(text: string, max = EXCERPT_MAX): { readonly text: string; readonly isCut: boolean } {
  // A code point takes at most two units; what is far behind the cut need not be looked at.
  const line = text
    .slice(0, 4 * max)
    .replace(/\s+/gu, ' ')
    .trim();
  const points = [...line];
  if (points.length <= max) return { text: line, isCut: false };
  const head = points.slice(0, max - 1).join('');
  const lastSpace = head.lastIndexOf(' ');
  const cut = lastSpace > max / 2 ? head.slice(0, lastSpace) : head;
  return { text: cut.replace(/[\s,;:–-]+$/u, '') + ELLIPSIS, isCut: true };
}
