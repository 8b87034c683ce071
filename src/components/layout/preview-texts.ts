/**
 * What a chat shows of a link: a headline, a sentence, a picture. It is seen without the page, kept by the chat, and
 * read by people who never asked: so it names nobody who was reported, and always says what does not follow.
 */
import type { ListKind } from '#src/entries/entry.ts';
import type { Preview, PreviewMark } from '#src/previews/preview.ts';
import type { OverallHealth } from '#src/status/status.ts';
import { previewPath } from '#src/paths.ts';
import { DONATION } from '../donation/donation-texts.ts';
import { HOME } from '../check/home-texts.ts';
import { formatDate, formatTime, isolate, pl } from '../ui/polish.ts';
import type { Role } from '../ui/role.ts';
import { ANSWER } from '../check/answer-texts.ts';
import { CHECK } from '../check/check-texts.ts';
import { LISTS } from '../list/lists-texts.ts';
import { SITE_NAME } from './site-texts.ts';
import { STATUS } from '../status/status-texts.ts';

/** What stands in the head of a page for chats. */
export interface LinkCard {
  /** Instead of the page's own title. */
  readonly title: string;
  readonly description: string;
  /** Path of the picture. */
  readonly picture: string;
}

/** Chats cut what is longer. */
const DESCRIPTION_MAX = 110;
const SHORT_MAX = 24;
const NO_BREAK = '\u00a0';

const asOf = (at: number): string => pl`stan z ${formatDate(at)}`;
const footOf = (at: number): string => pl`${SITE_NAME}, ${asOf(at)}`;
const footToTheMinute = (at: number): string => pl`${footOf(at)}, ${formatTime(at)}`;

const OF_ID = {
  reported: { mark: 'none', title: pl`Jest wpis o tym ID`, note: pl`Wpis oznacza zgłoszenie, nie wyrok.` },
  good: {
    mark: 'good',
    title: ANSWER.title('good', undefined),
    note: pl`To nie gwarancja: porównaj ID cyfra po cyfrze.`,
  },
  none: {
    mark: 'none',
    title: ANSWER.title('none', undefined),
    note: pl`To nie znaczy, że jest bezpiecznie.`,
  },
} as const satisfies Record<string, Pick<Preview, 'mark' | 'title' | 'note'>>;

/** Reported and risk are one: whichever it is, the page says, with the reason. */
const kindOf = (role: Role): keyof typeof OF_ID => (role === 'stop' || role === 'warn' ? 'reported' : role);

/** @param name of a trusted one; another's is never shown */
export function idPreview(role: Role, id: string, name: string | undefined, now: number): Preview {
  const kind = kindOf(role);
  const names = kind === 'good' && name !== undefined ? [name] : [];
  return { ...OF_ID[kind], lines: [...names, groupDigits(id)], foot: footOf(now) };
}

/** As of `idPreview`. */
export function idCard(role: Role, id: string, name: string | undefined, now: number): LinkCard {
  const kind = kindOf(role);
  const { title, note } = OF_ID[kind];
  const what = `ID ${shorten(id)}`;
  const named = kind === 'good' && name !== undefined ? pl`${isolate(shorten(name))}, ${what}` : what;
  const date = pl`Stan z ${formatDate(now)}.`;
  const tries = [pl`${named}. ${note} ${date}`, pl`${named}. ${note}`, pl`${what}. ${note}`];
  const description = tries.find((text) => [...text].length <= DESCRIPTION_MAX) ?? note;
  return { title, description, picture: previewPath('check', id) };
}

/** A nick in the link beside a word about reports would be an accusation: the page alone says what was found. */
export const NICK_CARD: LinkCard = {
  title: pl`Wynik sprawdzenia nicku`,
  description: pl`Nick może mieć każdy, liczy się ID. Aktualny wynik jest na stronie.`,
  picture: previewPath('check'),
};

export const CHECK_PREVIEW: Preview = {
  mark: 'sign',
  title: CHECK.title,
  lines: [],
  note: HOME.lead(undefined),
  foot: SITE_NAME,
};

export function listPreview(list: ListKind, total: number, now: number): Preview {
  const { note } = OF_ID[list === 'legit' ? 'good' : 'reported'];
  return {
    mark: 'sign',
    title: LISTS.title[list],
    lines: [LISTS.count(total)],
    note,
    foot: footOf(now),
  };
}

const STATUS_MARKS: Readonly<Record<OverallHealth, PreviewMark>> = {
  good: 'good',
  partly: 'warn',
  bad: 'stop',
  none: 'off',
};

export function statusPreview(overall: OverallHealth, at: number): Preview {
  return {
    mark: STATUS_MARKS[overall],
    title: STATUS.overall[overall],
    lines: [],
    note: STATUS.description,
    foot: footToTheMinute(at),
  };
}

export function statusCard(overall: OverallHealth, at: number): LinkCard {
  return {
    title: STATUS.overall[overall],
    description: pl`Stan z ${formatDate(at)}, ${formatTime(at)}. Aktualny jest na stronie.`,
    picture: previewPath('status'),
  };
}

export const DONATE_PREVIEW: Preview = {
  mark: 'sign',
  title: DONATION.page.title,
  lines: [],
  note: DONATION.page.lead,
  foot: SITE_NAME,
};

/** @param found its state as the page names it; undefined: there is no such donation */
export function donationPreview(
  found: { readonly title: string; readonly role: Role | undefined } | undefined,
  now: number,
): Preview {
  return {
    mark: found ? (found.role ?? 'sign') : 'off',
    title: found?.title ?? pl`Nie ma takiej wpłaty`,
    lines: [],
    note: found ? pl`Aktualny stan jest na stronie wpłaty.` : DONATION.missing.text,
    foot: footToTheMinute(now),
  };
}

export function donationCard(id: string, title: string, now: number): LinkCard {
  return {
    title,
    description: pl`Stan wpłaty z ${formatDate(now)}, ${formatTime(now)}. Aktualny jest na stronie.`,
    picture: previewPath('donate', id),
  };
}

/** An ID of the platform in groups of four. */
function groupDigits(id: string): string {
  return /^\d{5,20}$/.test(id) ? (id.match(/.{1,4}/g) ?? []).join(NO_BREAK) : id;
}

function shorten(text: string): string {
  const points = [...text];
  return points.length > SHORT_MAX ? `${points.slice(0, SHORT_MAX - 1).join('')}…` : text;
}
