/** Renders the picture, the nick and the ID of an account or server. */
import type { ListKind } from '#src/entries/entry.ts';
import { avatarPath } from '#src/paths.ts';
import { isPlatformId } from '#src/platform-id.ts';
import type { NamePart } from '#src/entries/mark-name.ts';
import { markup, type Markup } from '../ui/markup.ts';
import { renderGrouped } from '../ui/render-values.ts';
import { renderMark } from '../ui/render-mark.ts';
import { ANSWER } from './answer-texts.ts';

/**
 * The picture of an account over the first letter of its name, which is seen where it has none, or where it does not come.
 * Decoration. Servers have no pictures.
 * @param name undefined: the platform's picture of an account without one, in place of the letter
 * @param eager not lazily: one of the first on the page
 */
export function renderAvatar(
  id: string,
  list: ListKind | undefined,
  name: string | undefined,
  eager = false,
): Markup | undefined {
  const letter = name && (/[\p{L}\p{N}]/u.exec(name) ?? /./u.exec(name))?.[0];
  const src = list !== 'servers' && isPlatformId(id) ? avatarPath(id, name !== undefined) : undefined;
  const loading = eager ? undefined : markup` loading="lazy"`;
  const image = src && markup`<img src="${src}" alt=""${loading} decoding="async">`;
  return markup`<span class="avatar" aria-hidden="true">${letter}${image}</span>`;
}

/**
 * A user's name, isolated so that its direction and stacked marks affect no other text.
 * @param name parts when some of them are marked
 */
export function renderNick(name: string | readonly NamePart[]): Markup {
  const shown = typeof name === 'string' ? name : name.map(renderPart);
  return markup`<bdi class="nick" translate="no"> ${shown} </bdi>`;
}

const renderPart = ({ text, isMarked }: NamePart): Markup =>
  isMarked ? markup`<mark>${text}</mark>` : markup`${text}`;

/** The name as it is seen, and as one text for screen readers, which would read its parts one after the other. */
export function renderFramedNick(parts: readonly NamePart[]): Markup {
  const whole = parts.map(({ text }) => text).join('');
  return markup`<bdi class="unseen" translate="no">${whole}</bdi><bdi class="nick" translate="no" aria-hidden="true">${parts.map(renderPart)}</bdi>`;
}

const FOREIGN = [
  { script: 'Cyrillic', language: 'ru', letters: /\p{Script=Cyrillic}/gu },
  { script: 'Greek', language: 'el', letters: /\p{Script=Greek}/gu },
] as const;

/** Says which letters of a Latin name only look Latin: a way to copy somebody's nick. */
export function renderForeignLetters(name: string, list: ListKind | undefined): Markup | undefined {
  const foreign = FOREIGN.find(({ letters }) => name.search(letters) >= 0);
  if (!foreign || !/\p{Script=Latin}/u.test(name)) return undefined;
  return markup`
    <span class="foreign">
      ${renderMark('warn')}
      ${ANSWER.foreign(foreign.script, list === 'servers')}
      <span lang="${foreign.language}">${[...new Set(name.match(foreign.letters))].join(', ')}</span>
    </span>`;
}

/** An ID in groups of digits; one that is not a number stays whole. @param framed the place of a group */
export function renderChatId(id: string, framed?: number): Markup {
  if (/^\d{5,}$/.test(id)) return renderGrouped(id, framed);
  return markup`<span class="id" translate="no"> <span>${id}</span> </span>`;
}
