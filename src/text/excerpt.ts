import { visibleBlocks } from './visible-text.ts';

/** Visible characters: five lines on a phone; thirty longer rows would exceed the page's 10 kB. */
const EXCERPT_MAX = 200;

const ELLIPSIS = '…';
const ASTRAL_FROM = 0x1_00_00;

const ENDS_BLOCK = /[.:?!…”]$/;

export function excerptOf(html: string): string {
  let all = '';
  for (const block of visibleBlocks(html)) {
    all += all === '' ? block : (ENDS_BLOCK.test(all) ? ' ' : ' · ') + block;
    if (all.length > 4 * EXCERPT_MAX) break;
  }
  // A code point takes at most two units, and white space shrinks.
  const line = all
    .slice(0, 4 * EXCERPT_MAX)
    .replace(/[^\S ]\s*| \s+/gu, ' ')
    .trim();
  return cutAtWord(line, EXCERPT_MAX);
}

/** The line, or its beginning with an ellipsis: at most `max` code points, to the end of a word unless it is long. */
export function cutAtWord(line: string, max: number): string {
  let end = 0;
  for (let seen = 0; seen < max - 1; seen += 1) end += pointLength(line, end);
  if (line.length <= end + pointLength(line, end)) return line;
  const head = line.slice(0, end);
  const lastSpace = head.lastIndexOf(' ');
  const words = lastSpace > max / 2 ? head.slice(0, lastSpace) : head;
  const text = words.replace(/(?<![\s.,;:·…–-])[\s.,;:·…–-]+$/u, '') + ELLIPSIS;
  const isOpen = text.lastIndexOf('„') > text.lastIndexOf('”');
  return isOpen ? `${text}”` : text;
}

function pointLength(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) >= ASTRAL_FROM ? 2 : 1;
}
