/** What people type or paste where a name or an ID is asked for: an ID in any of the forms that they copy, or a nick. */
export type Subject =
  | { readonly kind: 'id'; readonly id: string }
  /** May be a nick as well. */
  | { readonly kind: 'report'; readonly number: string; readonly nick: string }
  | { readonly kind: 'nick'; readonly nick: string }
  /** What is not to be looked for by name. `direct`: a link to a private conversation, which names no server. */
  | { readonly kind: 'doubt'; readonly doubt: 'invite' | 'direct' }
  /** Digits that are no ID of the platform; some list may have them all the same. */
  | { readonly kind: 'digits'; readonly digits: string };

const ID = String.raw`\d{17,20}`;
const WHOLE_ID = new RegExp(`^${ID}$`);
const MENTION = new RegExp(`^<@[!&]?(${ID})>$`);
const HOST = String.raw`^(?:https?:\/\/)?(?:[\w-]+\.)+[a-z]{2,}`;
const TAIL = String.raw`\/?(?:[?#].*)?$`;
/** A profile: its user. */
const PROFILE = new RegExp(String.raw`${HOST}\/(?:\w+\/)*users\/(${ID})${TAIL}`, 'i');
/** A server, a channel or a message in it: the server. */
const CHANNEL = new RegExp(
  String.raw`${HOST}\/(?:\w+\/)*(?:channels|guilds|servers)\/(${ID}|@me)(?:\/\d+){0,2}${TAIL}`,
  'i',
);
const INVITE = new RegExp(String.raw`^(?:https?:\/\/)?[\w.-]+(?:\.gg\/|\/invite\/)[\w-]+${TAIL}`, 'i');
/** Fewer digits are a nick or a telephone number sooner than a part of an ID. */
const DIGITS = /^\d{15,}$/;
/** As they are drawn, in either case. */
const REPORT = /^R-[0-9A-Z]{10}$/i;

export function readSubject(typed: string): Subject {
  const text = typed.trim();
  const joined = text.replace(/\s/g, '');
  if (WHOLE_ID.test(joined)) return { kind: 'id', id: joined };
  const wrapped = MENTION.exec(text) ?? PROFILE.exec(text) ?? CHANNEL.exec(text);
  const id = wrapped?.[1];
  if (id !== undefined) return id === '@me' ? { kind: 'doubt', doubt: 'direct' } : { kind: 'id', id };
  if (INVITE.test(text)) return { kind: 'doubt', doubt: 'invite' };
  if (DIGITS.test(joined)) return { kind: 'digits', digits: joined };
  if (REPORT.test(text)) return { kind: 'report', number: text.toUpperCase(), nick: text };
  return { kind: 'nick', nick: readNick(text) };
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
