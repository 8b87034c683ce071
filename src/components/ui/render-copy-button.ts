import { markup } from './markup.ts';
import type { Markup } from './markup.ts';
import { COPY } from './copy-button-texts.ts';

/**
 * Copies the text of the nearest `[data-copied]` around it; seen only with script (src/browser/copy.ts).
 * @param shown the visible word or words
 */
export function renderCopyButton(label: string, shown: string = COPY.button): Markup {
  return markup`
    <button class="copy" type="button" aria-label="${label}" data-done="${COPY.done}" data-by-hand="${COPY.byHand}">
      ${shown}
    </button>`;
}
