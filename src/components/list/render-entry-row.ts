/** A row of a list. A function, because as components thirty rows took four fifths of a page's time. */
import type { PublicSummary } from '#src/entries/entry.ts';
import { entryPath } from '#src/paths.ts';
import { cutAtWord } from '#src/text/excerpt.ts';
import { ANSWER } from '../check/answer-texts.ts';
import { markup, type Markup } from '../ui/markup.ts';
import type { NamePart } from '#src/entries/mark-name.ts';
import type { ReportOfTrusted } from '../check/answer.ts';
import { renderAvatar, renderChatId, renderForeignLetters, renderNick } from '../check/render-account.ts';
import { renderCopyIcon, renderDate } from '../ui/render-values.ts';
import { renderBadge, renderMark } from '../ui/render-mark.ts';
import { roleOf, type Role } from '../ui/role.ts';
import { badgeWord } from '../ui/roles-texts.ts';
import { COPY } from '../ui/copy-button-texts.ts';
import { LISTS } from './lists-texts.ts';

/** Shorter words, in a list of reports. */
const WORDS: Readonly<Partial<Record<Role, string>>> = {
  stop: LISTS.status.verified,
  warn: LISTS.status.risk,
};

/** Visible characters: three or four lines on a phone, two on a desk. */
const EXCERPT_MAX = 140;
/** Sentences of this length or more are shown without the beginning of the next one. */
const SENTENCES_MIN = 60;
/** Before a digit, the point of an abbreviation ends no sentence. */
const SENTENCE_END = /[.?!]”?(?= [\p{Lu}„])|(?<=\p{L}{5})\.(?= \d)/gu;
/** The space between an amount and its currency, where no line may break, and the hyphen of SMS-a. */
const LOOSE_UNIT = /(?<=\d) (?=zł)/g;
const LOOSE_ENDING = /(?<=\p{Lu})-(?=\p{Ll})/gu;

export interface RowOptions {
  /** The row stands beside rows of other lists, so it names a server as one. */
  readonly isMixed?: boolean;
  /** The row gets the mark of what it finds. */
  readonly reportOfTrusted?: ReportOfTrusted;
  /** The name, or its parts, for an entry that was found by it. */
  readonly parts?: string | readonly NamePart[];
}

/** An `li`. The whole row links to the entry; the ID is outside the link, so that visitors can select and copy it. */
export function renderEntryRow(
  entry: PublicSummary,
  { isMixed = false, reportOfTrusted, parts }: RowOptions = {},
): Markup {
  const { id, list, name, proofs } = entry;
  const stronger = reportOfTrusted?.(entry);
  const role = roleOf(stronger ?? entry);
  const short = isMixed || list === 'legit' ? undefined : WORDS[role];
  const word = short ?? badgeWord(role, role === 'victim' ? list : undefined);
  const notes = [
    isMixed && list === 'servers' && LISTS.server,
    markup`${LISTS.reported(list)} ${renderDate(entry.reportedAt)}`,
    stronger && LISTS.trustedToo,
    proofs !== 'none' && LISTS.proofsOf[proofs],
  ]
    .filter((note) => note !== false && note !== undefined)
    .map((note, at) => markup`${at === 0 ? undefined : ', '}${note}`);
  return markup`<li data-role="${role}">
      <article class="row">
        ${renderAvatar(id, list, name)}
        <div class="who">
          <h3>
            <a class="row-link" href="${entryPath(entry)}" aria-label="${LISTS.seeEntryOf(name)}">${renderNick(parts ?? name)}</a>
          </h3>
          ${renderBadge(role, word, parts !== undefined)}
          ${renderForeignLetters(name, list)}
        </div>
        <div class="what">
          <p class="id-line" data-copied>${renderChatId(id)}${renderCopyIcon(COPY.label(name))}</p>
          <p class="quiet">${notes}</p>
          <p class="excerpt">${cutText(entry.excerpt || ANSWER.noReason)}</p>
        </div>
      </article>
    </li>`;
}

/** Whole sentences, unless they say too little, and otherwise words. A quotation keeps its end. */
function cutText(excerpt: string): string {
  const text = cutAtWord(excerpt, EXCERPT_MAX);
  const end = [...text.matchAll(SENTENCE_END)].at(-1);
  const head = end ? text.slice(0, end.index + end[0].length) : '';
  const isWhole = head.length >= SENTENCES_MIN && head.lastIndexOf('„') <= head.lastIndexOf('”');
  return (text !== excerpt && isWhole ? head : text)
    .replace(LOOSE_UNIT, '\u00a0')
    .replace(LOOSE_ENDING, '\u2060-\u2060');
}

/** An `li` of the few that stand under the field while a visitor types: what a row says first, and nothing to copy. */
export function renderHit(entry: PublicSummary, { reportOfTrusted, parts = [] }: RowOptions): Markup {
  const role = roleOf(reportOfTrusted?.(entry) ?? entry);
  return markup`<li>
      <a href="${entryPath(entry)}">
        ${renderMark(role, true)} <b>${renderNick(parts)}</b>
        <span class="quiet">${renderChatId(entry.id)}</span>
        <span class="quiet">${badgeWord(role, entry.list)}</span>
      </a>
    </li>`;
}

/**
 * One text, not many: what Astro is handed lives as long as the request, and thirty trees of small texts cost the
 * garbage collector more than they cost to make.
 */
export function renderEntryRows(entries: readonly PublicSummary[], options?: RowOptions): Markup {
  return markup`${entries.map((entry) => renderEntryRow(entry, options))}`;
}
