/** A row of a list. A function, because as components thirty rows took four fifths of a page's time. */
import type { EntrySummary } from '#src/entries/entry.ts';
import { entryPath } from '#src/paths.ts';
import { markup, type Markup } from '../ui/markup.ts';
import { ANSWER } from '../check/answer-texts.ts';
import type { NickPart } from '#src/entries/name-parts.ts';
import type { StrongerOf } from '../check/answer.ts';
import { renderAvatar, renderChatId, renderForeignLetters, renderNick } from '../check/render-account.ts';
import { renderCopyButton, renderDate } from '../ui/render-values.ts';
import { renderBadge } from '../ui/render-mark.ts';
import { roleOf } from '../ui/role.ts';
import { COPY } from '../ui/copy-button-texts.ts';
import { LISTS } from './lists-texts.ts';

export interface RowOptions {
  /** The row stands beside rows of other lists, so it names a server as one. */
  readonly isMixed?: boolean;
  /** The row gets the mark of what it finds. */
  readonly strongerOf?: StrongerOf;
  /** Parts of the name, for an entry that was found by it. */
  readonly parts?: readonly NickPart[];
}

/** An `li`. The whole row links to the entry; the ID is outside the link, so that visitors can select and copy it. */
export function renderEntryRow(
  entry: EntrySummary,
  { isMixed = false, strongerOf, parts }: RowOptions = {},
): Markup {
  const { id, list, name, proofs } = entry;
  const stronger = strongerOf?.(entry);
  const role = roleOf(stronger ?? entry);
  const excerpt = entry.excerpt === '' ? undefined : markup`<p class="excerpt">${entry.excerpt}</p>`;
  const proofsNote = proofs === 'none' ? undefined : markup`<span>${LISTS.proofsOf[proofs]}</span>`;
  return markup`<li data-role="${role}">
      <article class="row">
        <div class="who">
          ${renderAvatar(id, list)}
          <h3>
            <a class="row-link" href="${entryPath(entry)}" aria-label="${LISTS.seeEntryOf(name)}">${renderNick(parts ?? name)}</a>
          </h3>
          ${renderBadge(role, parts !== undefined, isMixed ? list : undefined)}
          ${renderForeignLetters(name, list)}
          <p class="id-line" data-copied>
            <span>
              ${ANSWER.id(list === 'servers')} ${renderChatId(id)}
            </span>
            ${renderCopyButton(COPY.label(name))}
          </p>
        </div>
        <div class="what">
          ${excerpt}
          <p class="meta"><span>${LISTS.reported(list)} ${renderDate(entry.reportedAt)}</span> ${stronger && markup`<span>${LISTS.trustedToo}</span> `}${proofsNote}</p>
        </div>
      </article>
    </li>`;
}

/**
 * One text, not many: what Astro is handed lives as long as the request, and thirty trees of small texts cost the
 * garbage collector more than they cost to make.
 */
export function renderEntryRows(entries: readonly EntrySummary[], options?: RowOptions): Markup {
  return markup`${entries.map((entry) => renderEntryRow(entry, options))}`;
}
