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
  // Final Σ, after which a search may continue.
  ς: 'σ',
};

/** Folds stored texts and searches alike. Folding is idempotent. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  // Lone surrogates are replaced first, because deleting characters between two of them would make a new character.
  return text
    .toWellFormed()
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(INVISIBLE, '')
    .replace(UNDECOMPOSED, (letter) => BASE_LETTERS[letter] ?? letter);
}
