/** What the check by nick found. */
import type { ListKind } from '#src/entries/entry.ts';
import { countOf, formFor, pl } from '../ui/polish.ts';
import type { Role } from '../ui/role.ts';
import { ENTRIES, LISTS } from '../list/lists-texts.ts';
import { LIST_OF } from '../ui/roles-texts.ts';

const atLeast = (hasMore: boolean): string => (hasMore ? pl`co najmniej ` : '');
const capitalize = (text: string): string => text.charAt(0).toLocaleUpperCase('pl') + text.slice(1);

export const NICK_ANSWER = {
  /** @param hasMore than these, as for the next three */
  same: (
    role: Role,
    count: number,
    hasMore: boolean,
    { isNear, isOfServers }: { isNear: boolean; isOfServers: boolean },
  ): string => {
    const list = LIST_OF[role];
    const name = pl`z ${isNear ? 'prawie ' : ''}${isOfServers ? pl`taką nazwą` : pl`takim nickiem`}`;
    if (count === 1) return pl`Na liście ${list} jest wpis ${name}`;
    const verb = formFor(count, { one: 'jest', few: 'są', many: 'jest' });
    return pl`Na liście ${list} ${verb} ${atLeast(hasMore)}${countOf(count, ENTRIES)} ${name}`;
  },
  similar: (count: number, hasMore: boolean, isOfServers: boolean) =>
    capitalize(
      pl`${atLeast(hasMore)}${countOf(count, ENTRIES)} z ${isOfServers ? pl`podobną nazwą` : pl`podobnym nickiem`}`,
    ),
  near: pl`Różnica jest tylko w znakach diakrytycznych, na przykład polskich literach, albo niewidocznych.`,
  preview: (count: number, hasMore: boolean) =>
    pl`Na listach: ${atLeast(hasMore)}${countOf(count, { one: 'podobny', few: 'podobne', many: 'podobnych' })}`,
  onLists: (count: number, hasMore: boolean) =>
    capitalize(pl`${atLeast(hasMore)}${countOf(count, ENTRIES)} na listach`),
  none: pl`Żaden wpis nie ma takiego nicku`,
  noneLead: pl`**To nie znaczy, że jest bezpiecznie.** Nick można zmienić w minutę, a ID zostaje.`,
  matched: (isOfServers: boolean) =>
    isOfServers
      ? pl`Dopasowanie po nazwie, nie po ID. Taką nazwę może mieć każdy serwer: porównaj ID, zanim wyciągniesz wnioski.`
      : pl`Dopasowanie po nicku, nie po ID. Nick może mieć każdy: porównaj ID, zanim wyciągniesz wnioski.`,
  checkId: pl`Sprawdź to ID`,
  rowsTitle: 'Znalezione wpisy',
  tooMany: (list: ListKind, href: string) =>
    pl`${LISTS.title[list]}: pokazujemy 20 pierwszych. [Zobacz wszystkie na liście](${href}).`,
  reportIt: pl`Masz dowody? [Zgłoś konto](/zglos).`,
} as const;
