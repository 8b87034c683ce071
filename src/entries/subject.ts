import { isPlatformId, PLATFORM_ID } from '../platform-id.ts';

/** What people type or paste where a name or an ID is asked for: an ID in any of the forms that they copy, or a nick. */
export type Subject =
  | { readonly kind: 'id'; readonly id: string }
  /** May be a nick as well. */
  | { readonly kind: 'report'; readonly number: string; readonly nick: string }
  | { readonly kind: 'nick'; readonly nick: string }
  | { readonly kind: 'doubt'; readonly doubt: Doubt }
  /** Digits that are no ID of the platform; some list may have them all the same. */
  | { readonly kind: 'digits'; readonly digits: string };

/**
 * What is not to be looked for by name. `direct`: a link to a private conversation, which names no server; `link`: any
 * other link that names nobody we could tell; `several`: a text with more than one ID.
 */
export type Doubt = 'invite' | 'direct' | 'link' | 'several';

const MENTION = new RegExp(`^<@[!&]?(${PLATFORM_ID})>$`);
const HOST = String.raw`^(?:https?:\/\/)?(?:[\w-]+\.)+[a-z]{2,}`;
const TAIL = String.raw`\/?(?:[?#].*)?$`;
/** A profile: its user. */
const PROFILE = new RegExp(String.raw`${HOST}\/(?:\w+\/)*users\/(${PLATFORM_ID})${TAIL}`, 'i');
/** A server, a channel or a message in it: the server. */
const CHANNEL = new RegExp(
  String.raw`${HOST}\/(?:\w+\/)*(?:channels|guilds|servers)\/(${PLATFORM_ID}|@me)(?:\/\d+){0,2}${TAIL}`,
  'i',
);
const INVITE = new RegExp(String.raw`^(?:https?:\/\/)?[\w.-]+(?:\.gg\/|\/invite\/)[\w-]+${TAIL}`, 'i');
const LINK = /^(?:\w+:\/\/|www\.|(?:[\w-]+\.)+[a-z]{2,}\/)\S*$/i;
/** An ID among words. Digits that hang on letters belong to a nick, unless the letters say what they are. */
const TOLD_ID = new RegExp(String.raw`(?<![\p{L}\p{N}_])(?:id)?(${PLATFORM_ID})(?![\p{L}\p{N}_])`, 'giu');
/** A channel or a drawn sign, as messages name them: their numbers are nobody's ID. */
const OTHER_THING = /<(?:#|a?:\w+:)\d+>/g;
/** Fewer digits are a nick or a telephone number sooner than a part of an ID. */
const DIGITS = /^\d{15,}$/;
/** As they are drawn, in either case. */
const REPORT = /^R-[0-9A-Z]{10}$/i;

export function readSubject(typed: string): Subject {
  const text = typed.trim();
  const joined = text.replace(/\s/g, '');
  if (isPlatformId(joined)) return { kind: 'id', id: joined };
  const wrapped = MENTION.exec(text) ?? PROFILE.exec(text) ?? CHANNEL.exec(text);
  const id = wrapped?.[1];
  if (id !== undefined) return id === '@me' ? { kind: 'doubt', doubt: 'direct' } : { kind: 'id', id };
  if (INVITE.test(text)) return { kind: 'doubt', doubt: 'invite' };
  // Digits are joined over spaces only into one ID.
  if (toldIds(text).length > 1) return { kind: 'doubt', doubt: 'several' };
  if (DIGITS.test(joined)) return { kind: 'digits', digits: joined };
  if (REPORT.test(text)) return { kind: 'report', number: text.toUpperCase(), nick: text };
  if (LINK.test(text)) return { kind: 'doubt', doubt: 'link' };
  const [told] = toldIds(text);
  if (told !== undefined) return { kind: 'id', id: told };
  return { kind: 'nick', nick: readNick(text) };
}

/** Each once; those whose digits stand in groups only where no other is. */
function toldIds(text: string): string[] {
  const words = text.replace(OTHER_THING, ' ');
  for (const read of [words, words.replace(/(?<=\d)\s+(?=\d)/g, '')]) {
    const ids = new Set([...read.matchAll(TOLD_ID)].flatMap(([, id]) => id ?? []));
    if (ids.size > 0) return [...ids];
  }
  return [];
}

/** Without what people copy along: the `@` of a mention, the four digits that nicks used to have. */
export function readNick(typed: string): string {
  const text = typed.trim();
  const bare = text
    .replace(/^@/, '')
    .replace(/#\d{4}$/, '')
    .trim();
  return bare === '' ? text : bare;
}
