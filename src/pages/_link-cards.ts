/** Cards that chats show for a link to an answer, an entry, the status or a donation. */
import type { PublicEntry } from '#src/entries/entry.ts';
import {
  CARD_DATES,
  ID_CARDS,
  NEUTRAL_PICTURE,
  NICK_CARD,
  type LinkCard,
} from '../components/layout/link-card-texts.ts';
import { ANSWER } from '../components/check/answer-texts.ts';
import { formatDate, formatTime, isolate } from '../components/ui/polish.ts';
import { isReport, roleOf } from '../components/ui/role.ts';
import type { IdAnswer, NickAnswer } from '../components/check/answer.ts';

/** Chats cut longer texts. */
const DESCRIPTION_MAX = 110;
const SHORT_MAX = 24;

export function answerCard(answer: IdAnswer | NickAnswer, now: number): LinkCard {
  return answer.by === 'nick' ? NICK_CARD : idCard(answer.entry, answer.id, now);
}

/** Contains names of trusted people only. */
export function idCard(entry: PublicEntry | undefined, id: string, now: number): LinkCard {
  const role = entry ? roleOf(entry) : 'none';
  const kind = isReport(role) ? 'reported' : role;
  const { picture } = ID_CARDS[kind];
  const who = kind === 'victim' ? `${ANSWER.taken(entry?.list === 'servers')} ` : '';
  const note = who + ID_CARDS[kind].note;
  const title = kind === 'reported' ? ID_CARDS.reported.title : ANSWER.title(kind, entry?.list);
  const what = `ID ${clip(id)}`;
  const named = entry && kind === 'good' ? `${isolate(clip(entry.name))}, ${what}` : what;
  const date = CARD_DATES.id(formatDate(now));
  const tries = [`${named}. ${note} ${date}`, `${named}. ${note}`, `${what}. ${note}`];
  const description = tries.find((text) => [...text].length <= DESCRIPTION_MAX) ?? note;
  return { title, description, picture };
}

/** The card of a page whose state is that of a moment. */
export function stateCard(page: 'status' | 'donation', title: string, at: number): LinkCard {
  const description = CARD_DATES[page](formatDate(at), formatTime(at));
  return { title, description, picture: NEUTRAL_PICTURE };
}

function clip(text: string): string {
  const points = [...text];
  return points.length > SHORT_MAX ? `${points.slice(0, SHORT_MAX - 1).join('')}…` : text;
}
