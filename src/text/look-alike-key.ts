/**
 * The look-alike key: what is left of a name when everything that looks alike is written alike. For comparing, never for
 * display (UTS #39, section 4). Each code point is spelt by itself, by the first of these that knows it, again and again
 * until nothing changes:
 *
 * 1. compatibility forms and diacritics of ASCII characters (NFKC, NFD): ① Ａ 𝐚 ó ö;
 * 2. small capitals and letters drawn as signs, which Unicode's table gives to prototypes of their own;
 * 3. Unicode's confusables (confusables.json): cyrillic о, greek ο, ꓳ;
 * 4. the fold of the search: case, Polish letters and other marks;
 * 5. digits and signs that stand for letters (0 3 4 @ …), and letters that two others can be taken for: m is spelt rn, w
 *    vv, d cl. Spelt out and never drawn together: of vvv it could not be told which two are the w.
 *
 * What is no letter and no digit then, is left out. So key(key(x)) is key(x).
 */
import table from './confusables.json' with { type: 'json' };
import { foldText } from './fold-text.ts';

/** Letters whose Unicode prototypes differ from the letters that people take them for. */
const DRAWN: Readonly<Record<string, string>> = {
  ...pairs('ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghijklmnopqrstuvwyz'),
  ...pairs('ĸʍᴎᴙβɜꞓƅ∂ʌǝȷƨχωΓ', 'kmnrb3ebdaejsxwr'),
  ...run('🅐', 'A', 26),
  ...run('🅰', 'A', 26),
  ...run('🇦', 'A', 26),
  ...run('❶', '1', 9),
  ...run('➀', '1', 9),
  ...run('➊', '1', 9),
  ...run('⓵', '1', 9),
};
const STAND_FOR: Readonly<Record<string, string>> = {
  ...pairs('012i|!34@5$789', 'olzllleaasstbg'),
  m: 'rn',
  w: 'vv',
  d: 'cl',
};
const ASCII = /^[!-~]+$/;
/** NFKC would make letters of them. */
const TRADE_MARK = /[™℠]/;
const KEPT = /[\p{L}\p{N}]/u;
const MARKS = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu;
const STEPS_MAX = 16;
const KNOWN_MAX = 20_000;

const PROTOTYPES = readPrototypes();
const known = new Map<string, string>();

export function lookAlikeKey(name: string): string {
  let key = '';
  for (const point of name) key += spellPoint(point);
  return key;
}

export function spellPoint(point: string): string {
  let spelt = known.get(point);
  if (spelt === undefined) {
    if (known.size >= KNOWN_MAX) known.clear();
    spelt = spell(point, STEPS_MAX);
    known.set(point, spelt);
  }
  return spelt;
}

function spell(point: string, steps: number): string {
  const next = steps > 0 ? findNext(point) : undefined;
  if (next === undefined) return KEPT.test(point) ? point : '';
  let spelt = '';
  for (const part of next) spelt += spell(part, steps - 1);
  return spelt;
}

function findNext(point: string): string | undefined {
  const folded = foldText(point);
  if (folded === '' || TRADE_MARK.test(point)) return '';
  const bare = ASCII.test(point) ? point : point.normalize('NFKC').normalize('NFD').replace(MARKS, '');
  if (bare !== point && ASCII.test(bare)) return bare;
  const drawn = DRAWN[point];
  if (drawn !== undefined) return drawn;
  const prototype = PROTOTYPES.get(point);
  // Some small letters have their capital as the prototype.
  if (prototype !== undefined && foldText(prototype) !== point) return prototype;
  return folded === point ? STAND_FOR[point] : folded;
}

function readPrototypes(): Map<string, string> {
  const prototypes = new Map<string, string>();
  for (const [prototype, sources] of Object.entries(table.prototypes))
    for (const source of sources.split(' ')) prototypes.set(textOf(source), textOf(prototype));
  return prototypes;
}

function textOf(codes: string): string {
  return String.fromCodePoint(...codes.split(' ').map((code) => Number.parseInt(code, 16)));
}

function pairs(from: string, to: string): Record<string, string> {
  const letters = [...to];
  return Object.fromEntries(Array.from(from, (point, at) => [point, letters[at] ?? '']));
}

function run(first: string, letter: string, count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      String.fromCodePoint((first.codePointAt(0) ?? 0) + at),
      String.fromCharCode(letter.charCodeAt(0) + at),
    ]),
  );
}
