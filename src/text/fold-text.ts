const ASCII = /^[\0-\x7f]*$/;
const INVISIBLE = /[\p{M}\p{Default_Ignorable_Code_Point}]+/gu;
const UNDECOMPOSED = /[łđøħıßæœς]/g;
const BASE_LETTERS: Record<string, string> = {
  ł: 'l',
  đ: 'd',
  ø: 'o',
  ħ: 'h',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  // Lower case of Σ at the end of a word, where a search may well go on.
  ς: 'σ',
};

/**
 * The form in which search compares texts: without case, diacritics, invisible characters and compatibility variants.
 * Both sides go through it, what is stored and what is asked for. Folding twice gives the same as folding once.
 */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  // Dropping what stands between two lone surrogates would join them to a new character, so they go first; UTF-8, in
  // which texts are stored, has no place for them either.
  return text
    .toWellFormed()
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(INVISIBLE, '')
    .replace(UNDECOMPOSED, (letter) => BASE_LETTERS[letter] ?? letter);
}
