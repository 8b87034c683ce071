/** Words that imitations add to a name, as in „Lis_Posrednik_pomoc”. */
import { lookAlikeKey } from './look-alike-key.ts';

const AFFIXES = `official oficjalny oficjalna oficjalne oficjalnie real realny prawdziwy prawdziwa true original
  oryginal support suport help pomoc wsparcie kontakt admin administrator adm mod moderator owner wlasciciel staff
  team ekipa bot mm middleman posrednik trade trading trader handel shop store sklep backup zapas alt second drugie
  drugi new nowy nowa nowe konto acc account vip pl pol polska the its iam xx`;

const KEYS = AFFIXES.split(/\s+/)
  .map(lookAlikeKey)
  .toSorted((one, other) => other.length - one.length)
  .join('|');
const AT_START = new RegExp(`^(?:${KEYS})`);
const AT_END = new RegExp(`(?:${KEYS})$`);

export interface Core {
  readonly from: number;
  readonly to: number;
  readonly isNumbered: boolean;
}

/** Removes up to one word from the start, and up to one word and one number from the end, in every combination. */
export function findCores(key: string, digits: Uint8Array): Core[] {
  const starts = [0];
  const word = AT_START.exec(key)?.[0];
  if (word !== undefined) starts.push(word.length);
  const ends = [{ to: key.length, isNumbered: false }];
  const number = numberAtEnd(digits, key.length);
  if (number < key.length) ends.push({ to: number, isNumbered: true });
  const before = AT_END.exec(key.slice(0, number))?.index;
  if (before !== undefined) {
    ends.push({ to: before, isNumbered: number < key.length });
    const inner = numberAtEnd(digits, before);
    if (inner < before) ends.push({ to: inner, isNumbered: true });
  }
  const cores = starts.flatMap((from) => ends.map(({ to, isNumbered }) => ({ from, to, isNumbered })));
  return cores.slice(1);
}

function numberAtEnd(digits: Uint8Array, end: number): number {
  let from = end;
  while (from > 0 && digits[from - 1] === 1) from -= 1;
  return from;
}
