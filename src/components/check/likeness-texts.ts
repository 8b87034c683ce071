import type { Found } from './nick-answer-texts.ts';
import { type Forms, capitalize, countOf, pl } from '../ui/polish.ts';

const OTHERS: Forms = { one: 'inne', few: 'inne', many: 'innych' };
const DIFFERENCES: Forms = { one: 'inna różnica', few: 'inne różnice', many: 'innych różnic' };

/** The heading and the title of the box, for one reported entry and for several. */
const REPORTED: Readonly<Record<Found, readonly (readonly [heading: string, title: string])[]>> = {
  accounts: [
    [pl`ten nick przypomina nick zgłoszonego konta`, pl`Bardzo podobny nick ma zgłoszone konto`],
    [pl`ten nick przypomina nicki zgłoszonych kont`, pl`Bardzo podobne nicki mają zgłoszone konta`],
  ],
  servers: [
    [pl`ta nazwa przypomina nazwę zgłoszonego serwera`, pl`Bardzo podobną nazwę ma zgłoszony serwer`],
    [pl`ta nazwa przypomina nazwy zgłoszonych serwerów`, pl`Bardzo podobne nazwy mają zgłoszone serwery`],
  ],
  mixed: [[pl`ten nick przypomina zgłoszone nazwy`, pl`Bardzo podobne nazwy są na listach zgłoszonych`]],
};
const ofCount = (found: Found, count: number) => REPORTED[found].at(count === 1 ? 0 : -1) ?? ['', ''];

const PLACES = ['już w pierwszej', 'w drugiej', 'w trzeciej', 'w czwartej'];
const KINDS: Readonly<Record<Found, string>> = { accounts: 'konta', servers: 'serwery', mixed: 'wpisy' };

/** A likeness shows no intent: no text here says that one account imitates another. */
export const LIKENESS = {
  warning: pl`Uwaga: podobny nick, inne ID`,
  /** The heading, or the title of the box under another one. */
  ofTrusted: pl`Ten nick przypomina nick zaufanej osoby`,
  asked: pl`Sprawdzasz`,
  noId: pl`ID nieznane`,
  /** The account had the other nick before. */
  now: (isServer: boolean) => (isServer ? pl`Obecna nazwa` : pl`Obecny nick`),
  compare: (isServer: boolean) =>
    pl`Porównaj ID cyfra po cyfrze. Inne ID to ${isServer ? 'inny serwer' : 'inne konto'}.`,
  /** @param place of the first group of digits that differs, 0 to 3; otherwise it is not named */
  differ: (place: number, found: Found) =>
    pl`ID ${PLACES[place] ? pl`różnią się ${PLACES[place]} czwórce cyfr` : pl`są różne`}, więc to dwa różne ${KINDS[found]}.`,
  /** The heading where only such entries were found, and the title of the box with them. */
  alike: (found: Found, count: number) => capitalize(ofCount(found, count)[0]),
  alikeTitle: (found: Found, count: number) => ofCount(found, count)[1],
  alikeLead: pl`**Ktoś może się podszywać.** Takiego nicku nie ma na listach, a podobieństwo może być przypadkowe. Porównaj ID.`,
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
