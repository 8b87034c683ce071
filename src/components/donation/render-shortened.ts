import { markup } from '../ui/markup.ts';
import type { Markup } from '../ui/markup.ts';

const GROUP = 4;

/**
 * The first two groups and the last one of a long number; a copy button copies all of it.
 * @param href where the number leads to
 */
export function renderShortened(text: string, href?: string): Markup {
  const [first, second] = [text.slice(0, GROUP), text.slice(GROUP, 2 * GROUP)];
  const shown = markup`<span class="number" translate="no">${first} ${second} … ${text.slice(-GROUP)}</span>`;
  return markup`
    ${href === undefined ? shown : markup`<a href="${href}" rel="noreferrer nofollow">${shown}</a>`}
    <span class="id unseen" aria-hidden="true">${text}</span>`;
}
