import { visibleBlocks } from './visible-text.ts';

/** Visible characters: five lines on a phone; thirty longer rows would exceed the page's 10 kB. */
export const EXCERPT_MAX = 200;

const ELLIPSIS = '…';
const ASTRAL_FROM = 0x1_00_00;

const ENDS_BLOCK = /[.:?!…”]$/;

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

export function cutText(text: string, max = EXCERPT_MAX): { readonly text: string; readonly isCut: boolean } {
  // A code point takes at most two units, and white space shrinks.
  const line = text
    .slice(0, 4 * max)
    .replace(/[^\S ]\s*| \s+/gu, ' ')
    .trim();
  if (line.length <= max) return { text: line, isCut: false };
  let end = 0;
  for (let seen = 0; seen < max - 1; seen += 1) end += pointLength(line, end);
  if (line.length <= end + pointLength(line, end)) return { text: line, isCut: false };
  const head = line.slice(0, end);
  const lastSpace = head.lastIndexOf(' ');
  const cut = lastSpace > max / 2 ? head.slice(0, lastSpace) : head;
  return { text: cut.replace(/(?<![\s.,;:·…–-])[\s.,;:·…–-]+$/u, '') + ELLIPSIS, isCut: true };
}

function pointLength(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) >= ASTRAL_FROM ? 2 : 1;
}
