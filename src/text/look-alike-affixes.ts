/** Words that imitations add to a name, as in „Lis_Posrednik_pomoc”. */
import { lookAlikeKey } from './look-alike-key.ts';

const AFFIXES = `official oficjalny oficjalna oficjalne oficjalnie real realny prawdziwy prawdziwa true
  original oryginal support suport help pomoc wsparcie kontakt obsluga admin administrator adm mod moderator
  owner wlasciciel staff team ekipa bot mm middleman posrednik escrow gwarant legit trusted zaufany zaufana
  verified zweryfikowany zweryfikowana trade trading trader handel shop store sklep backup zapas alt second
  drugie drugi new nowy nowa nowe konto acc account vip pl pol polska the its iam xx`;

const KEYS = AFFIXES.split(/\s+/)
  .map(lookAlikeKey)
  .toSorted((one, other) => other.length - one.length)
  .join('|');
const AT_START = new RegExp(`^(?:${KEYS})`);
const AT_END = new RegExp(`(?:${KEYS})$`);

type Affix = 'word' | 'number' | 'other';

/** Letters of a name. Shorter ones are parts of too many; a number is what many people add to a name that is taken. */
export const CORE_MIN: Readonly<Record<Affix, number>> = { word: 6, number: 8, other: 10 };

export interface Core {
  readonly from: number;
  readonly to: number;
  readonly affix: Affix;
}

/**
 * Removes up to one word from the start, and up to one word and one number from the end, in every combination; the same
 * letter from both ends, as in „xJagodax”; then anything from one end, up to half of the key.
 */
export function findCores(key: string, digits: Uint8Array): Core[] {
  const { length } = key;
  const starts = [0];
  const word = AT_START.exec(key)?.[0];
  if (word !== undefined) starts.push(word.length);
  const ends: Omit<Core, 'from'>[] = [{ to: length, affix: 'word' }];
  const number = numberAtEnd(digits, length);
  if (number < length) ends.push({ to: number, affix: 'number' });
  const before = AT_END.exec(key.slice(0, number))?.index;
  if (before !== undefined) {
    ends.push({ to: before, affix: number < length ? 'number' : 'word' });
    const inner = numberAtEnd(digits, before);
    if (inner < before) ends.push({ to: inner, affix: 'number' });
  }
  const cores = starts.flatMap((from) => ends.map((end) => ({ from, ...end })));
  if (length > 2 && key[0] === key[length - 1] && digits[0] === 0)
    cores.push({ from: 1, to: length - 1, affix: 'word' });
  for (let at = Math.max(CORE_MIN.other, Math.ceil(length / 2)); at < length; at += 1) {
    // Part of a number is another number.
    if (digits[at - 1] !== 1 || digits[at] !== 1) cores.push({ from: 0, to: at, affix: 'other' });
    const from = length - at;
    if (digits[from - 1] !== 1 || digits[from] !== 1) cores.push({ from, to: length, affix: 'other' });
  }
  return cores.slice(1);
}

function numberAtEnd(digits: Uint8Array, end: number): number {
  let from = end;
  while (from > 0 && digits[from - 1] === 1) from -= 1;
  return from;
}
