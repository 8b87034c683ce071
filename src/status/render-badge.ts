/** A badge as one SVG without script, style or font, for pages of others. */
import { escapeXml } from '../text/render-atom.ts';
import type { OverallHealth, PartHealth } from './status.ts';

type Health = PartHealth | OverallHealth;

const HEIGHT = 24;
const FONT_SIZE = 13;
/** The mean of common sans-serif fonts; `textLength` fits every font. */
const LETTER_WIDTH = 6.9;
const PADDING = 8;
const MARK_SIZE = 14;

/** The light theme: an image does not know its background. */
const STYLES: Readonly<Record<'good' | 'warn' | 'stop' | 'none', { tint: string; mark: string }>> = {
  good: {
    tint: '#dff2f4',
    mark: '<circle cx="12" cy="12" r="10" fill="#16808e"/><path d="m7 12.4 3.6 3.6L17 8.6" fill="none" stroke="#fff" stroke-width="2.8"/>',
  },
  warn: {
    tint: '#fff1cc',
    mark: '<path d="M12 2.5 22.5 21h-21z" fill="#f5b81f" stroke="#946000" stroke-width="2"/><path d="M12 9.5v4.6m0 3.8v.1" stroke="#241700" stroke-width="2.6" stroke-linecap="round"/>',
  },
  stop: {
    tint: '#fbe9ec',
    mark: '<path d="M6 2h12l4 4v12l-4 4H6l-4-4V6z" fill="#8e1330"/><path d="M6.5 10.25h11v3.5h-11z" fill="#fff"/>',
  },
  none: {
    tint: '#f4f5f1',
    mark: '<rect x="2.2" y="2.2" width="19.6" height="19.6" rx="4" fill="#fff" stroke="#74807c" stroke-width="1.8" stroke-dasharray="3.4 2.6"/><path d="M8 12h8" stroke="#4a5653" stroke-width="2.4"/>',
  },
};

const ROLES = {
  good: 'good',
  slow: 'warn',
  partly: 'warn',
  bad: 'stop',
  none: 'none',
} as const satisfies Record<Health, keyof typeof STYLES>;

export function renderBadge(name: string, word: string, health: Health): string {
  const { tint, mark } = STYLES[ROLES[health]];
  const nameWidth = Math.round([...name].length * LETTER_WIDTH);
  const wordWidth = Math.round([...word].length * LETTER_WIDTH);
  const left = nameWidth + 2 * PADDING;
  const width = left + MARK_SIZE + wordWidth + 3 * PADDING;
  const label = escapeXml(`${name}: ${word}`);
  const text = (x: number, length: number, content: string): string =>
    `<text x="${x}" y="16.5" textLength="${length}" lengthAdjust="spacingAndGlyphs">${escapeXml(content)}</text>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${label}">` +
    `<title>${label}</title>` +
    `<rect x=".5" y=".5" width="${width - 1}" height="${HEIGHT - 1}" rx="3.5" fill="${tint}" stroke="#74807c"/>` +
    `<path d="M${left} .5H4A3.5 3.5 0 0 0 .5 4v16A3.5 3.5 0 0 0 4 23.5h${left - 4}z" fill="#fff"/>` +
    `<svg x="${left + PADDING}" y="5" width="${MARK_SIZE}" height="${MARK_SIZE}" viewBox="0 0 24 24">${mark}</svg>` +
    `<g font-family="Verdana,DejaVu Sans,sans-serif" font-size="${FONT_SIZE}" fill="#16211f">` +
    text(PADDING, nameWidth, name) +
    text(left + MARK_SIZE + 2 * PADDING, wordWidth, word) +
    `</g></svg>`
  );
}
