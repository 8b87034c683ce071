/** Scripts commonly written beside Latin (UTS #39, 5.2, moderately restrictive). */
const BESIDE_LATIN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}]/u;
const LATIN = /\p{Script=Latin}/u;
const CYRILLIC = /\p{Script=Cyrillic}/u;
const OTHER_LETTER = /(?!\p{Script=Latin}|\p{Script=Common}|\p{Script=Inherited})\p{L}/gu;
const EMOJI = /\p{RGI_Emoji}|\p{Emoji}\uFE0F/gv;
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/u;
const ASCII = /^[ -~]*$/;

/** The name mixes Latin or Greek with Cyrillic, or Latin with Greek, whose letters look alike. */
export function hasMixedScripts(name: string): boolean {
  if (ASCII.test(name)) return false;
  const others = name.match(OTHER_LETTER)?.filter((letter) => !BESIDE_LATIN.test(letter)) ?? [];
  if (others.length === 0) return false;
  return LATIN.test(name) || new Set(others.map((letter) => CYRILLIC.test(letter))).size > 1;
}

/** Emoji may contain invisible characters. */
export function hasHiddenCharacters(name: string): boolean {
  return !ASCII.test(name) && HIDDEN.test(name.replace(EMOJI, ''));
}
