import { markup } from './markup.ts';
import type { Markup } from './markup.ts';

/**
 * What people compare character by character, in groups of four: it wraps between them and never inside one. The gaps
 * are margins, so that selecting copies it unbroken.
 */
export function renderGrouped(text: string): Markup {
  return markup`<span class="id" translate="no"> ${(text.match(/.{1,4}/g) ?? []).map((group) => markup`<span>${group}</span>`)} </span>`;
}
