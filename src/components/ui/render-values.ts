import { COPY } from './copy-button-texts.ts';
import { markup, type Markup } from './markup.ts';
import { formatDate } from './polish.ts';
import { renderIcon } from './render-drawings.ts';

const GROUP = /.{1,4}/g;

/**
 * A day in Warsaw, or what else is shown of it; the exact moment is in the attribute.
 * @param at epoch milliseconds
 */
export function renderDate(at: number, shown = formatDate(at)): Markup {
  return markup`<time datetime="${new Date(at).toISOString()}">${shown}</time>`;
}

/**
 * This renders a value that people compare character by character, in groups of four. It wraps only between groups. The
 * gaps are margins, so that a selection copies no spaces. @param framed the place of a group
 */
export function renderGrouped(text: string, framed?: number): Markup {
  const groups = text.match(GROUP) ?? [];
  return markup`<span class="id" translate="no"> ${groups.map((group, at) => markup`<span>${at === framed ? markup`<mark>${group}</mark>` : group}</span>`)} </span>`;
}

/**
 * The first two groups and the end of a long number; a copy button copies all of it.
 * @param href where the number leads to
 */
export function renderShortened(text: string, href?: string): Markup {
  const [first, second] = text.match(GROUP) ?? [];
  const shown = markup`<span class="number" translate="no">${first} ${second} … ${text.slice(-4)}</span>`;
  return markup`
    ${href === undefined ? shown : markup`<a href="${href}" rel="noreferrer nofollow">${shown}</a>`}
    <span class="id unseen" aria-hidden="true">${text}</span>`;
}

/** Names and values in columns; false and undefined values are left out. */
export function renderFacts(
  facts: readonly (readonly [name: string, value: string | Markup | readonly Markup[] | false | undefined])[],
): Markup {
  return markup`<dl class="dates">${facts.map(([name, value]) =>
    value ? markup`<div><dt>${name}</dt><dd data-copied>${value}</dd></div>` : markup``,
  )}</dl>`;
}

/** Texts that a script shows, as `data-*` attributes. */
export function dataOf(texts: Readonly<Record<string, string>>): Record<string, string> {
  const nameOf = (key: string): string => `data-${key.replace(/[A-Z]/g, '-$&').toLowerCase()}`;
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [nameOf(key), text]));
}

/**
 * Copies the text of the nearest `[data-copied]` around it; seen only with script (src/browser/buttons.ts).
 * @param shown the visible word or words
 */
export function renderCopyButton(
  label: string,
  shown: string = COPY.button,
  { done, byHand }: Readonly<Record<'done' | 'byHand', string>> = COPY,
): Markup {
  return markup`
    <button class="copy" type="button" aria-label="${label}" data-done="${done}" data-by-hand="${byHand}">
      ${shown}
    </button>`;
}

/** A copy button that shows an icon. */
export function renderCopyIcon(label: string): Markup {
  return markup`
    <button class="copy icon-only" type="button" aria-label="${label}" data-done="${COPY.done}" data-by-hand="${COPY.byHand}">${renderIcon('i-copy')}</button>`;
}
