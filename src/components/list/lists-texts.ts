/** Lists and their feeds, and the values in their address that nobody knows. */
import type { ListKind } from '#src/entries/entry.ts';
import type { ProofsFilter, Sort, Status } from '#src/entries/list-query.ts';
import type { Forms } from '../ui/polish.ts';
import { countOf, isolate, pl } from '../ui/polish.ts';
import { SITE_NAME } from '../layout/site-texts.ts';

export const ENTRIES: Forms = { one: 'wpis', few: 'wpisy', many: 'wpisów' };

export const LISTS = {
  title: {
    scammers: 'Zgłoszone osoby',
    servers: 'Zgłoszone serwery',
    legit: 'Lista zaufanych',
  } satisfies Record<ListKind, string>,
  lead: {
    scammers: pl`Wpis oznacza zgłoszenie, nie wyrok.`,
    servers: pl`Wpis oznacza zgłoszenie, nie wyrok.`,
    legit: pl`Osoby polecane przez społeczność i sprawdzone przez obsługę. To nie gwarancja: zawsze porównaj ID.`,
  } satisfies Record<ListKind, string>,
  leadOfRisk: pl`Lista ryzyka to zgłoszenia jeszcze niepotwierdzone.`,
  searchLabel: (list: ListKind) =>
    list === 'servers' ? pl`Szukaj: nazwa, ID albo słowo z powodu` : pl`Szukaj: nick, ID albo słowo z powodu`,
  searchButton: 'Szukaj',
  filters: 'Filtry',
  statusName: 'Status',
  proofsName: 'Dowody',
  sortName: 'Kolejność',
  status: { all: 'Wszystkie', verified: 'Potwierdzone', risk: 'Lista ryzyka' } satisfies Record<
    Status,
    string
  >,
  proofs: { all: 'Wszystkie', with: pl`Z dowodami`, private: 'Niepubliczne' } satisfies Record<
    ProofsFilter,
    string
  >,
  sorts: {
    newest: 'Najnowsze',
    oldest: 'Najstarsze',
    popular: 'Najczęściej oglądane',
    popular_asc: 'Najrzadziej oglądane',
    az: 'A–Ż',
    za: 'Ż–A',
  } satisfies Record<Sort, string>,
  count: (total: number) => countOf(total, ENTRIES),
  searched: (search: string) => `„${isolate(search)}”`,
  removeFilter: (label: string) => pl`Usuń filtr: ${label}`,
  clear: 'Wyczyść',
  toPages: pl`Przejdź do stron listy`,
  noProofs: pl`Bez publicznych dowodów`,
  privateProofs: pl`Dowody niepubliczne`,
  proofsLink: 'Dowody',
  seeProofs: pl`Zobacz dowody`,
  wholeReason: pl`Całe uzasadnienie`,
  /** What a link of a row is called for who listens. @param text that everybody sees */
  ofEntry: (text: string, name: string) => `${text}: ${isolate(name)}`,
  back: (list: ListKind): string => `‹ ${LISTS.title[list]}`,
  pager: {
    label: 'Strony listy',
    first: '‹ Pierwsza',
    previous: 'Poprzednia',
    next: 'Następna',
    last: 'Ostatnia ›',
    place: (page: number, pages: number) => pl`Strona ${page} z ${pages}`,
    asJson: pl`Ta lista jako JSON`,
    end: pl`Dalej nie da się przewinąć. Zawęź wyszukiwanie.`,
  },
  emptyFiltered: pl`Brak wpisów dla tych filtrów`,
  emptyList: pl`Ta lista jest jeszcze pusta.`,
  emptyPage: pl`Na tej stronie listy nic już nie ma`,
  emptyPageLink: pl`Przejdź do pierwszej strony`,
  emptyId: pl`Tego ID nie ma na tej liście`,
  notSafe: pl`To nie znaczy, że jest bezpiecznie.`,
  clearFilters: pl`Wyczyść filtry`,
  checkEverywhere: (search: string) => pl`Sprawdź „${isolate(search)}” na wszystkich listach`,
} as const;

export const FEEDS = {
  title: (list: ListKind) =>
    pl`${SITE_NAME}: ${LISTS.title[list].toLocaleLowerCase('pl')}, nowe ${list === 'legit' ? '' : 'potwierdzone '}wpisy`,
};

const DEFAULT_SHOWN: Readonly<Record<string, string>> = {
  sort: 'najnowsze',
  status: 'wszystkie wpisy',
  proofs: 'wszystkie wpisy',
  skip: 'początek listy',
  limit: pl`po 30 wpisów`,
  search: 'wszystkie wpisy',
  id: 'wszystkie wpisy',
};

export const badValue = (given: string, parameter: string): string =>
  pl`Nie znamy wartości „${isolate(given)}” dla „${parameter}”. Pokazujemy ${DEFAULT_SHOWN[parameter] ?? 'wartość domyślną'}.`;

export const tooLongSearch = (max: number, length: number): string =>
  pl`Za długie: najwyżej ${max} znaków, tu jest ${length}. Pokazujemy wszystkie wpisy.`;
