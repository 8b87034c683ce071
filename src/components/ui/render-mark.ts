import { markup, type Markup } from './markup.ts';
import type { Role } from './role.ts';

/**
 * The shape of a role; screen readers hear the word beside it.
 * @param outline for matches by nick, which decide nothing
 * @param shape replaces the role's own shape
 */
export function renderMark(role: Role, outline = false, shape: Role | 'off' | 'down' = role): Markup {
  return markup`
    <svg class="mark" data-role="${role}"${outline ? markup` data-outline` : undefined} viewBox="0 0 24 24"
        aria-hidden="true">
      <use href="#z-${shape}"></use>
    </svg>`;
}

export function renderBadge(role: Role, word: string, outline = false): Markup {
  return markup`
    <span class="badge" data-role="${role}">
      ${renderMark(role, outline)}
      ${word}
    </span>`;
}
