import { markup } from './markup.ts';
import type { Markup } from './markup.ts';
import { formatDate } from './polish.ts';

/**
 * A day in Warsaw; the exact moment is in the attribute.
 * @param at epoch milliseconds
 */
export function renderDate(at: number): Markup {
  return markup`<time datetime="${new Date(at).toISOString()}">${formatDate(at)}</time>`;
}
