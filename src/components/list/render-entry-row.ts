/** A row of a list. A function, because as components thirty rows took four fifths of a page's time. */
import type { EntrySummary } from '#src/entries/entry.ts';
import { checkPath, entryPath, proofsPath } from '#src/paths.ts';
import { markup } from '../ui/markup.ts';
import type { Markup } from '../ui/markup.ts';
import type { NameParts } from '../check/name-parts.ts';
import { renderAvatar, renderChatId, renderForeignLetters, renderNick } from '../check/render-account.ts';
import { renderCopyButton } from '../ui/render-copy-button.ts';
import { renderDate } from '../ui/render-date.ts';
import { renderBadge } from '../ui/render-mark.ts';
import { roleOf } from '../ui/role.ts';
import { COPY } from '../ui/copy-button-texts.ts';
import { LISTS } from './lists-texts.ts';
import { NICK_ANSWER } from '../check/nick-answer-texts.ts';

/** Of an entry that was found by its name: its row offers the check by ID. */
export interface NameMatch {
  readonly parts: NameParts | undefined;
}

export interface RowOptions {
  /** Rows of other lists stand beside it: a server is called one. */
  readonly isMixed?: boolean;
  readonly match?: NameMatch;
}

/** An `li`. */
export function renderEntryRow(entry: EntrySummary, { isMixed = false, match }: RowOptions = {}): Markup {
  const role = roleOf(entry);
  const address = entryPath(entry.list, entry.id);
  const excerpt = entry.excerpt === '' ? undefined : markup`<p class="excerpt">${entry.excerpt}</p>`;
  const check = match && renderNamedLink(checkPath(entry.id), NICK_ANSWER.checkId, entry.name);
  const rest = entry.isCut ? renderNamedLink(address, LISTS.wholeReason, entry.name) : undefined;
  return markup`<li data-role="${role}">
      <article class="row">
        <div class="who">
          ${renderAvatar(entry.id, entry.list)}
          ${renderBadge(role, match !== undefined, isMixed ? entry.list : undefined)}
          <h3>
            <a href="${address}">
              ${renderNick(entry.name, match?.parts)}
            </a>
          </h3>
          ${renderForeignLetters(entry.name, entry.list)}
          <p class="id-line" data-copied>
            <span>
              ID ${renderChatId(entry.id)}
            </span>
            ${renderCopyButton(COPY.label(entry.name))}
          </p>
        </div>
        <div class="what">
          ${excerpt}
          <p class="meta">
            ${renderDate(entry.reportedAt)}
            <span>${entry.reportId}</span>
            ${renderProofsLink(entry)}
            ${check}
            ${rest}
          </p>
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

function renderProofsLink({ proofsId, proofs, name }: EntrySummary): Markup {
  if (proofsId === null) return markup`<span>${LISTS.noProofs}</span>`;
  return renderNamedLink(
    proofsPath(proofsId),
    proofs === 'private' ? LISTS.privateProofs : LISTS.proofsLink,
    name,
  );
}

/** Many links of a list have the same words: who listens hears whose each is. */
function renderNamedLink(href: string, text: string, name: string): Markup {
  return markup`<a href="${href}" aria-label="${LISTS.ofEntry(text, name)}">${text}</a>`;
}
