import type { ListKind } from '#src/entries/entry.ts';
import { type Forms, capitalize, countOf, formatNumber, formFor, pl } from '../ui/polish.ts';
import { isReport, type Role } from '../ui/role.ts';
import { ENTRIES, LISTS } from '../list/lists-texts.ts';
import { predicateOf } from '../ui/roles-texts.ts';

const atLeast = (hasMore: boolean): string => (hasMore ? pl`co najmniej ` : '');

/** Accounts, servers, or entries of both kinds. */
export type Found = 'accounts' | 'servers' | 'mixed';

/** Servers have names, accounts have nicks. */
export function foundOf(entries: readonly { readonly list: ListKind }[]): Found {
  const servers = entries.filter(({ list }) => list === 'servers').length;
  return servers === 0 ? 'accounts' : servers === entries.length ? 'servers' : 'mixed';
}

const NOUNS: Readonly<Record<Found, Forms>> = {
  accounts: { one: 'konto', few: 'konta', many: 'kont' },
  servers: { one: 'serwer', few: 'serwery', many: 'serwerów' },
  mixed: ENTRIES,
};
const SIMILAR: Readonly<Record<Found, Forms>> = {
  accounts: { one: 'podobny nick', few: 'podobne nicki', many: 'podobnych nicków' },
  servers: { one: 'podobna nazwa', few: 'podobne nazwy', many: 'podobnych nazw' },
  mixed: { one: '', few: 'podobne nazwy', many: 'podobnych nazw' },
};
const nameOf = (found: Found, [nick, name]: readonly [string, string]): string =>
  found === 'accounts' ? nick : name;

export const NICK_ANSWER = {
  /**
   * @param role of all of them; undefined where they differ
   * @param isNear their names differ in diacritics or invisible characters
   * @param hasMore than these, as below
   */
  same: (role: Role | undefined, count: number, found: Found, isNear: boolean, hasMore: boolean): string => {
    const name = isNear
      ? pl`o niemal ${nameOf(found, ['identycznym nicku', 'identycznej nazwie'])}`
      : pl`o ${nameOf(found, ['tym nicku', 'tej nazwie'])}`;
    if (role === 'good' && count === 1)
      return pl`${isNear ? 'Niemal taki' : 'Taki'} nick ma ktoś z listy zaufanych`;
    const counted = count === 1 ? NOUNS[found].one : countOf(count, NOUNS[found]);
    const predicate =
      role === undefined || role === 'none'
        ? pl`${formFor(count, { one: 'jest', few: 'są', many: 'jest' })} na listach`
        : predicateOf(role, count);
    return capitalize(pl`${atLeast(hasMore)}${counted} ${name} ${predicate}`);
  },
  /** @param roles of all of them */
  similar: (roles: ReadonlySet<Role>, count: number, found: Found, hasMore: boolean): string => {
    const [role] = roles.size === 1 ? roles : [];
    const lists = [...roles].every(isReport) ? ' zgłoszonych' : role === 'good' ? ' zaufanych' : '';
    const place = found === 'mixed' || lists === '' ? 'na listach' : pl`na liście`;
    return capitalize(pl`${atLeast(hasMore)}${countOf(count, SIMILAR[found])} ${place}${lists}`);
  },
  near: (found: Found) =>
    pl`${nameOf(found, ['Nick', 'Nazwa'])} na liście różni się od tego, co wpisano, tylko odmianą liter (na przykład „ł” i „l”) albo niewidocznymi znakami.`,
  /** @param areReports all of them: the check leaves out trusted ones beside them then */
  onLists: (count: number, hasMore: boolean, areReports: boolean) =>
    capitalize(
      pl`${atLeast(hasMore)}${countOf(count, ENTRIES)} na listach${areReports ? ' zgłoszonych' : ''}`,
    ),
  /** Under the first entries that a visitor sees while typing. @param shown how many of them */
  typing: (found: Found, shown: number, count: number, hasMore: boolean, areReports: boolean) =>
    shown < count
      ? pl`Tu ${formatNumber(shown)} z ${atLeast(hasMore)}${formatNumber(count)} wpisów. Wpisz więcej albo naciśnij „Sprawdź”.`
      : pl`${NICK_ANSWER.onLists(count, hasMore, areReports)}. ${capitalize(nameOf(found, ['nick', 'nazwę']))} może mieć każdy. Sprawdź ID${found === 'accounts' ? pl` skopiowane z profilu` : ''}.`,
  none: pl`Nie znaleźliśmy takiego nicku`,
  noneLead: pl`**To nie znaczy, że jest bezpiecznie.** Nick można zmienić w minutę, ID się nie zmienia.`,
  lead: (found: Found, same: number, count: number, areReports: boolean, role?: Role) => {
    if (count === 0) return NICK_ANSWER.noneLead;
    if (role === 'good')
      return pl`Czy to ta sama osoba, pokaże dopiero ID. **Nie płać, zanim je porównasz.**`;
    if (same === 0)
      return pl`Dokładnie ${nameOf(found, ['takiego nicku', 'takiej nazwy'])} nie ma na listach${areReports ? ' zgłoszonych' : ''}. Wpisz ${nameOf(found, ['cały nick', 'całą nazwę'])} albo ID.`;
    return found === 'servers'
      ? pl`To nie musi być ten sam serwer, bo taką nazwę może mieć każdy. **Nie płać, zanim porównasz ID.**`
      : pl`To nie musi być ta sama osoba, bo taki sam nick może mieć każdy. **Nie płać, zanim porównasz ID.**`;
  },
  /** It is said of the nick that was asked for. */
  hidden: pl`W tym nicku są niewidoczne znaki. Tak robi się nicki, które wyglądają jak cudze. Porównaj ID.`,
  mixed: pl`W tym nicku są litery różnych alfabetów, które wyglądają tak samo. Tak robi się nicki, które wyglądają jak cudze. Porównaj ID.`,
  sameTitle: (found: Found, count: number) =>
    `${nameOf(found, [pl`Ten sam nick`, pl`Ta sama nazwa`])} (${formatNumber(count)})`,
  similarTitle: (found: Found, count: number) =>
    `${nameOf(found, [pl`Podobne nicki`, pl`Podobne nazwy`])} (${formatNumber(count)})`,
  tooMany: (list: ListKind, href: string) =>
    pl`${LISTS.title[list]}: pokazujemy 20 pierwszych. [Zobacz wszystkie na liście](${href}).`,
} as const;
