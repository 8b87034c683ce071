import type { Found } from './nick-answer-texts.ts';
import { type Forms, countOf, pl } from '../ui/polish.ts';

const OTHERS: Forms = { one: 'inne', few: 'inne', many: 'innych' };
const DIFFERENCES: Forms = { one: 'inna różnica', few: 'inne różnice', many: 'innych różnic' };

const REPORTED: Readonly<Record<Found, readonly [one: string, several: string]>> = {
  accounts: [pl`Ten nick przypomina nick zgłoszonego konta`, pl`Ten nick przypomina nicki zgłoszonych kont`],
  servers: [
    pl`Ta nazwa przypomina nazwę zgłoszonego serwera`,
    pl`Ta nazwa przypomina nazwy zgłoszonych serwerów`,
  ],
  mixed: ['', pl`Ten nick przypomina zgłoszone nazwy`],
};

const PLACES = ['już w pierwszej', 'w drugiej', 'w trzeciej', 'w czwartej'];
const OTHER: Readonly<Record<Found, string>> = {
  accounts: 'inne konto',
  servers: 'inny serwer',
  mixed: 'inny wpis',
};
const KINDS: Readonly<Record<Found, string>> = { accounts: 'konta', servers: 'serwery', mixed: 'wpisy' };

/** A likeness shows no intent: no text here says that one account imitates another. */
export const LIKENESS = {
  warning: pl`Uwaga: podobny nick, inne ID`,
  /** Beside the verdict of a trusted account. */
  reportedToo: pl`**Podobny nick jest na liście zgłoszonych: porównaj ID.**`,
  ofTrusted: pl`Ten nick przypomina nick zaufanej osoby`,
  asked: pl`Sprawdzasz`,
  noId: pl`ID nieznane`,
  /** The account had the other nick before. */
  now: (isServer: boolean) => (isServer ? pl`Obecna nazwa` : pl`Obecny nick`),
  compare: (found: Found) => pl`Porównaj ID cyfra po cyfrze. Inne ID to ${OTHER[found]}.`,
  /** @param place of the first group of digits that differs, 0 to 3; otherwise it is not named */
  differ: (place: number, found: Found) =>
    pl`ID ${PLACES[place] ? pl`różnią się ${PLACES[place]} czwórce cyfr` : pl`są różne`}, więc to dwa różne ${KINDS[found]}.`,
  /** The heading, or the title of the box under another one. */
  ofReported: (found: Found, count: number) => REPORTED[found][count === 1 ? 0 : 1],
  alikeLead: (isServer: boolean) =>
    pl`**Ktoś może się podszywać.** ${isServer ? 'Takiej nazwy' : 'Takiego nicku'} nie ma na listach, a podobieństwo może być przypadkowe. Porównaj ID.`,
  notThese: (count: number) =>
    count === 1 ? pl`Dwa podobne nicki, dwa różne konta` : pl`Podobne nicki, różne konta`,
  former: (isServer: boolean) =>
    isServer ? pl`Ten serwer miał wcześniej taką nazwę.` : pl`To konto miało wcześniej taki nick.`,
  affix: (added: readonly string[]) =>
    pl`To ten sam nick z ${added.length === 1 ? 'dodatkiem' : 'dodatkami'} ${added.join(' i ')}.`,
  polishOnly: pl`Różnią się tylko polskimi literami:`,
  same: pl`Nicki są takie same.`,
  sameButCase: pl`Nicki różnią się tylko wielkością liter.`,
  andMore: (count: number) => pl`; i ${countOf(count, DIFFERENCES)}`,
  others: (count: number) => pl`i ${countOf(count, OTHERS)}`,
  noneButFormer: pl`Takiego nicku nie ma już na listach, ale wcześniej był`,
  unknown: pl`Podobnych nicków nie możemy teraz sprawdzić. Spróbuj ponownie za chwilę.`,
} as const;
