/** Drawings in the light colours of the pages: a picture does not know on what ground a chat shows it. */
import type { PreviewMark } from './preview.ts';

const DASHED =
  '<rect x="2.2" y="2.2" width="19.6" height="19.6" rx="4" fill="#fff" stroke="#74807c" stroke-width="1.8" stroke-dasharray="3.4 2.6"/>';

/** On a grid of 24 units. */
export const PREVIEW_MARKS: Readonly<Record<PreviewMark, string>> = {
  stop: '<path d="M6 2h12l4 4v12l-4 4H6l-4-4V6z" fill="#8e1330"/><path d="M6.5 10.25h11v3.5h-11z" fill="#fff"/>',
  warn: '<path d="M12 2.5 22.5 21h-21z" fill="#f5b81f" stroke="#946000" stroke-width="2" stroke-linejoin="round"/><path d="M12 9.5v4.6m0 3.8v.1" stroke="#241700" stroke-width="2.6" stroke-linecap="round"/>',
  good: '<circle cx="12" cy="12" r="10" fill="#16808e"/><path d="m7 12.4 3.6 3.6L17 8.6" fill="none" stroke="#fff" stroke-width="2.8"/>',
  none: `${DASHED}<path d="M9 9.4a3 3 0 1 1 4.4 2.6c-1 .6-1.4 1.1-1.4 2.1m0 3.3v.1" fill="none" stroke="#4a5653" stroke-width="2.2" stroke-linecap="round"/>`,
  off: `${DASHED}<path d="M8.5 12h7" stroke="#4a5653" stroke-width="2.4" stroke-linecap="round"/>`,
  sign: '<path d="M4.5 8 12 3l7.5 5M7 8v5h10V8M5 13h14M8.5 13 6.5 21M15.5 13l2 8M8 17h8M12 8v2" fill="none" stroke="#16211f" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/>',
};
