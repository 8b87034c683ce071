import type { ListKind } from '#src/entries/entry.ts';
import { markup, type Markup } from './markup.ts';
import type { Role } from './role.ts';
import { BADGE_WORD, SERVER_BADGE, SERVER_TAKEN } from './roles-texts.ts';

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

/** @param list given where the badge says that it is a server, and for hijacked ones */
export function badgeWord(role: Role, list?: ListKind, words = BADGE_WORD): string {
  if (role === 'victim' && list === 'servers') return SERVER_TAKEN;
  return words[role] + (list === 'servers' ? SERVER_BADGE : '');
}

export function renderBadge(role: Role, outline = false, word = BADGE_WORD[role]): Markup {
  return markup`
    <span class="badge" data-role="${role}">
      ${renderMark(role, outline)}
      ${word}
    </span>`;
}
