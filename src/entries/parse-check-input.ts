import { isPlatformId, PLATFORM_ID } from '../platform-id.ts';

export type CheckInput =
  /** `isServer`: the link leads to a server, and perhaps to a message there, whose author it does not name. */
  | { readonly kind: 'id'; readonly id: string; readonly isServer?: true }
  | { readonly kind: 'report'; readonly number: string; readonly nick: string }
  | { readonly kind: 'nick'; readonly nick: string }
  | { readonly kind: 'doubt'; readonly doubt: Doubt }
  /** Not an ID of the platform, although a list may contain it. */
  | { readonly kind: 'digits'; readonly digits: string };

/**
 * Text that is not searched as a name. `direct`: a link to a private conversation; `link`: another link without an ID;
 * `several`: more than one ID.
 */
type Doubt = 'invite' | 'direct' | 'link' | 'several';

/** Marks of sentences, quotations and Markdown, which are copied along. */
const MARKS = String.raw`\s\\.,;:!?…"'„”“«»‘’‚()[\]{}*~|–—` + '`';
export const MARKS_AROUND = new RegExp(`^[${MARKS}]+|(?<![${MARKS}])[${MARKS}]+$`, 'g');
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{M}]/gu;
const OTHER_DIGIT = /(?!\d)\p{Nd}/gu;
/** Angle brackets of a mention or an emoji are no marks around it. */
const THING = /^<(?:[@#:]|a:)/;
const MENTION = new RegExp(`^<@[!&]?(${PLATFORM_ID})>$`);
const HOST = String.raw`^(?:https?:\/\/)?(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?`;
const TAIL = String.raw`\/?(?:[?#].*)?$`;
const PROFILE = new RegExp(String.raw`${HOST}\/(?:\w+\/)*users\/(${PLATFORM_ID})${TAIL}`, 'i');
const CHANNEL = new RegExp(
  String.raw`${HOST}\/(?:\w+\/)*(?:channels|guilds|servers)\/(${PLATFORM_ID}|@me)(?:\/\d+){0,2}${TAIL}`,
  'i',
);
const INVITE = new RegExp(String.raw`^(?:https?:\/\/)?[\w.-]+(?:\.gg\/|\/invite\/)[\w-]+${TAIL}`, 'i');
const LINK = /^(?:\w+:\/\/|www\.|(?:[\w-]+\.)+[a-z]{2,}\/)\S*$/i;
/** An ID among words. Digits beside letters belong to a nick, unless the letters are „id”. */
const ID_AMONG_WORDS = new RegExp(
  String.raw`(?<![\p{L}\p{N}_])(?:id)?(${PLATFORM_ID})(?![\p{L}\p{N}_])`,
  'giu',
);
/** Mentions of channels and emoji contain numbers that are no IDs. */
const OTHER_THING = /<(?:#|a?:\w+:)\d+>/g;
/** Fewer digits are more likely a nick or telephone number than part of an ID. */
const DIGITS = /^\d{15,}$/;
const REPORT = /^R-[0-9A-Z]{10}$/i;

export function parseCheckInput(typed: string): CheckInput {
  const text = readText(typed);
  const joined = text.replace(/\s/g, '').replace(/^(_{1,3})(\d+)\1$/, '$2');
  if (isPlatformId(joined)) return { kind: 'id', id: joined };
  const id = (MENTION.exec(joined) ?? PROFILE.exec(text))?.[1];
  if (id !== undefined) return { kind: 'id', id };
  const server = CHANNEL.exec(text)?.[1];
  if (server === '@me') return { kind: 'doubt', doubt: 'direct' };
  if (server !== undefined) return { kind: 'id', id: server, isServer: true };
  if (INVITE.test(text)) return { kind: 'doubt', doubt: 'invite' };
  // Digits are joined across spaces only when they make one ID.
  if (findIds(text).length > 1) return { kind: 'doubt', doubt: 'several' };
  if (DIGITS.test(joined)) return { kind: 'digits', digits: joined };
  if (REPORT.test(text)) return { kind: 'report', number: text.toUpperCase(), nick: typed.trim() };
  if (LINK.test(text)) return { kind: 'doubt', doubt: 'link' };
  const [found] = findIds(text);
  if (found !== undefined) return { kind: 'id', id: found };
  return { kind: 'nick', nick: parseNick(typed) };
}

/** The ID in any spelling; a text that names no single ID stays as it is. */
export function parseId(given: string): string {
  if (isPlatformId(given)) return given;
  const input = parseCheckInput(given);
  return input.kind === 'id' ? input.id : given;
}

/** @returns undefined for valid IDs, and for odd ones that may be meant */
export function findMistakenId(id: string): string | undefined {
  const input = parseCheckInput(id);
  if (input.kind === 'id')
    return input.id === id ? undefined : `is not only an ID: did you mean ${input.id}?`;
  if (input.kind === 'doubt')
    return input.doubt === 'several'
      ? 'holds several IDs: give one'
      : 'is a link that names no ID: give the ID';
  return /\s/.test(id) ? 'has white space in it: give the ID alone' : undefined;
}

function readText(typed: string): string {
  const plain = typed
    .replace(UNSEEN, '')
    .replace(OTHER_DIGIT, readDigit)
    // An empty cell of Braille, and the middle of a Markdown link.
    .replace(/\u2800|\]\(/g, ' ')
    .replace(MARKS_AROUND, '');
  if (THING.test(plain)) return plain;
  const inside = plain.replace(/^</, '');
  return (inside.includes('<') ? inside : inside.replace(/>$/, '')).replace(MARKS_AROUND, '');
}

/** Unicode has the digits of every script in tens, from 0 to 9. */
function readDigit(digit: string): string {
  // Mathematical digits are five tens in a row: counting back to the first takes up to 49 steps.
  const plain = digit.normalize('NFKC');
  if (/\d/.test(plain)) return plain;
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}

/** IDs in digit groups count only when there is no other. */
function findIds(text: string): string[] {
  const words = text.replace(OTHER_THING, ' ');
  for (const read of [words, words.replace(/(?<=\d)\s+(?=\d)/g, '')]) {
    const ids = new Set([...read.matchAll(ID_AMONG_WORDS)].flatMap(([, id]) => id ?? []));
    if (ids.size > 0) return [...ids];
  }
  return [];
}

/** Removes the `@` of a mention and the four digits of old nicks, for which programs write `#0` now. */
export function parseNick(typed: string): string {
  const text = typed.trim();
  const bare = text
    .replace(/^@/, '')
    .replace(/#(?:0|\d{4})(?=\p{Default_Ignorable_Code_Point}*$)/u, '')
    .trim();
  return bare === '' ? text : bare;
}
