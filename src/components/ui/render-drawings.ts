/** The marks and icons of a page, each drawn once; the page points at them by `href="#…"` (render-mark.ts). */
import { markup, type Markup } from './markup.ts';

const FRAME = 'M6.2 2.2h11.6a4 4 0 0 1 4 4v11.6a4 4 0 0 1-4 4H6.2a4 4 0 0 1-4-4V6.2a4 4 0 0 1 4-4z';
const DISC = 'M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20z';
export const TOWER = 'M12 0l4.6 4.5H7.4zM6 9h12v1.5H6zM8.5 12h7l.75 4.5h-8.5zM7.5 18h9l1 6h-11z';
const broken = markup`<path fill="var(--m)" stroke="var(--l)" stroke-width="1.8" stroke-dasharray="3.4 2.6" d="${FRAME}"/>`;
const drawGlyph = (width: string, path: string): Markup =>
  markup`<path fill="none" stroke="var(--g)" stroke-width="${width}" stroke-linecap="round" d="${path}"/>`;
const drawShape = (path: string, width = '1.5'): Markup =>
  markup`<path fill="var(--m)" stroke="var(--l)" stroke-width="${width}" stroke-linejoin="round" d="${path}"/>`;

/** Colours of marks come from the role of the place that uses them, those of icons from its text. */
const DRAWINGS = {
  'z-stop': markup`${drawShape('M6 2h12l4 4v12l-4 4H6l-4-4V6z')}<path fill="var(--g)" d="M6.5 10.25h11v3.5h-11z"/>`,
  'z-warn': markup`${drawShape('M12 2.5 22.5 21h-21z', '2')}${drawGlyph('2.6', 'M12 9.5v4.6m0 3.8v.1')}`,
  'z-good': markup`${drawShape(DISC)}${drawGlyph('2.8', 'm7 12.4 3.6 3.6L17 8.6')}`,
  'z-victim': markup`${drawShape('M12 1 23 12 12 23 1 12z')}${drawGlyph('2.3', 'M7.6 9.8h8.8M7.6 14.2h8.8M14.6 6.4 9.4 17.6')}`,
  'z-none': markup`${broken}${drawGlyph('2.2', 'M9 9.4a3 3 0 1 1 4.4 2.6c-1 .6-1.4 1.1-1.4 2.1m0 3.3v.1')}`,
  'z-off': markup`${broken}${drawGlyph('2.4', 'M8.5 12h7')}`,
  // What does not work, on the page of the status: an octagon is a report.
  'z-down': markup`${drawShape(DISC)}${drawGlyph('2.8', 'm8.5 8.5 7 7m0-7-7 7')}`,
  // Two letters in boxes, as where they are compared: a likeness is no verdict, so it has no mark.
  'i-alike': markup`<path fill="var(--card)" d="M3 2h6a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H3a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2zm12 0h6a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2h-6a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2z"/><path d="M6 10.5V17M6 7v.1M18 7v10"/>`,
  'i-age': markup`<path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 4.5V12l3.2 2"/>`,
  'i-copy': markup`<path d="M9 9h9a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2zM5.5 15H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h7a2 2 0 0 1 2 2v.5"/>`,
  'i-share': markup`<path d="M12 15V3m0 0L7.5 7.5M12 3l4.5 4.5M5 12v7a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-7"/>`,
  'i-print': markup`<path d="M7 8V3h10v5M7 17H5a2 2 0 0 1-2-2v-5a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2h-2M7 14h10v7H7z"/>`,
  'i-tick': markup`<path stroke-width="3" d="m4.5 12.5 5 5L19.5 7"/>`,
  'i-external': markup`<path d="M10 5H6a2 2 0 0 0-2 2v11a2 2 0 0 0 2 2h11a2 2 0 0 0 2-2v-4M14 4h6v6M20 4l-9 9"/>`,
  'i-enlarge': markup`<path d="M4 9V4h5m6 0h5v5m0 6v5h-5m-6 0H4v-5"/>`,
  'i-back': markup`<path d="M20 12H4m0 0 6.5-6.5M4 12l6.5 6.5"/>`,
  'i-appeal': markup`<path d="M12 4v16m-4 0h8M5 7l7-2 7 2M5 7l-3 7a3.2 3.2 0 0 0 6 0zm14 0-3 7a3.2 3.2 0 0 0 6 0z"/>`,
  'i-help': markup`<path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 5a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM5.6 5.6l3.6 3.6m5.6 5.6 3.6 3.6m0-12.8-3.6 3.6m-5.6 5.6-3.6 3.6"/>`,
  'i-card': markup`<path d="M3 6h18v12H3zm0 4h18M7 15h3"/>`,
  'i-gift': markup`<path d="M4.5 11v9h15v-9M3 7h18v4H3zm9 0v13m0-13C7 7 7 3 9 3s3 4 3 4 1-4 3-4 2 4-3 4"/>`,
  'i-sword': markup`<path d="m20.5 3.5-1 5-7.5 7.5-4-4L15.5 4.5zM5.5 11l7.5 7.5M9 15l-5.5 5.5"/>`,
  'i-key': markup`<path d="M15.5 3.5a5 5 0 1 1-2.3 9.4L8 18H5.5v2.5H3V17.5l8.100-7.700a5 5 0 0 1 4.4-6.3zm1 4v.1"/>`,
  'i-identity': markup`<path d="M3 5h18v14H3zm6 3a2 2 0 1 0 0 4 2 2 0 0 0 0-4zm-3 8.5c0-4 6-4 6 0m3-6.5h3m-3 4h3"/>`,
  'i-list': markup`<path d="M9 6h11M9 12h11M9 18h11M4.5 6h.1m-.1 6h.1m-.1 6h.1"/>`,
  'i-report': markup`<path d="M5 21V4m0 0c4-2.5 8 2.5 14 0v10c-6 2.5-10-2.5-14 0"/>`,
} as const;

const LINE = markup` fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"`;

/** @param page what points at drawings */
export function renderDrawings(page: string): Markup {
  // One pass: a search for each drawing takes four times as long, a tenth of a list page.
  const pointers = new Set(page.match(/"#[iz]-[a-z]+"/g));
  const used = Object.entries(DRAWINGS).filter(([name]) => pointers.has(`"#${name}"`));
  return markup`<div hidden><svg data-drawings>${used.map(
    ([name, drawing]) =>
      markup`<symbol id="${name}" viewBox="0 0 24 24"${name.startsWith('i-') ? LINE : undefined}>${drawing}</symbol>`,
  )}</svg></div>`;
}

export type IconName = Extract<keyof typeof DRAWINGS, `i-${string}`>;

export function renderIcon(name: IconName): Markup {
  return markup`<svg class="icon" width="24" height="24" aria-hidden="true"><use href="#${name}"></use></svg>`;
}
