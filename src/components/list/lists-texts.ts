import type { ListKind } from '#src/entries/entry.ts';
import type { ProofsFilter, Sort, Status } from '#src/entries/list-query.ts';
import { type Forms, countOf, isolate, pl } from '../ui/polish.ts';
import { SITE_NAME } from '../layout/site-texts.ts';

export const ENTRIES: Forms = { one: 'wpis', few: 'wpisy', many: 'wpisów' };

type Texts<Key extends string> = Record<Key, string>;

export const LISTS = {
  title: {
    scammers: 'Zgłoszone osoby',
    servers: 'Zgłoszone serwery',
    legit: 'Lista zaufanych',
  } satisfies Texts<ListKind>,
  lead: {
    scammers: pl`Wpis oznacza zgłoszenie, nie wyrok.`,
    servers: pl`Wpis oznacza zgłoszenie, nie wyrok.`,
    legit: pl`Te osoby poleca społeczność. Polecenie to nie gwarancja. Zawsze porównaj ID.`,
  } satisfies Texts<ListKind>,
  tabsName: 'Listy',
  tabs: { scammers: 'Osoby', servers: 'Serwery', legit: 'Zaufani' } satisfies Texts<ListKind>,
  searchLabel: (list: ListKind) =>
    list === 'servers'
      ? pl`Szukaj po nazwie, ID albo słowie z opisu`
      : pl`Szukaj po nicku, ID albo słowie z opisu`,
  searchButton: 'Szukaj',
  filters: 'Filtry',
  proofsName: 'Dowody',
  sortName: 'Kolejność',
  status: { all: 'Wszystkie', verified: 'Potwierdzone', risk: 'Niepotwierdzone' } satisfies Texts<Status>,
  proofs: {
    all: 'Wszystkie',
    with: 'Publiczne',
    private: 'Niepubliczne',
  } satisfies Texts<ProofsFilter>,
  sorts: {
    newest: 'Najnowsze',
    oldest: 'Najstarsze',
    popular: 'Najczęściej oglądane',
    popular_asc: 'Najrzadziej oglądane',
    az: 'A–Ż',
    za: 'Ż–A',
  } satisfies Texts<Sort>,
  /** The menu leaves them out; an address may ask for them. */
  rareSorts: ['popular_asc', 'za'] as readonly Sort[],
  count: (total: number, page: number, pages: number) =>
    pages === 1 ? countOf(total, ENTRIES) : pl`${countOf(total, ENTRIES)}, strona ${page} z ${pages}`,
  noProofs: pl`Nie dołączono dowodów.`,
  privateProofs: pl`Nie są publiczne, bo mogą zawierać dane innych osób.`,
  proofsOf: { public: pl`z dowodami`, private: pl`dowody niepubliczne` },
  /** A trusted person was added, not reported. */
  reported: (list: ListKind) => (list === 'legit' ? pl`na liście od` : 'zgłoszono'),
  /** In rows of both persons and servers. */
  server: 'serwer',
  trustedToo: pl`jest też na liście zaufanych`,
  seeEntry: pl`Zobacz wpis`,
  /** Many links of a list have the same words; screen readers hear whose each is. */
  seeEntryOf: (name: string) => pl`Zobacz wpis: ${isolate(name)}`,
  back: (list: ListKind): string => `‹ ${LISTS.title[list]}`,
  pager: {
    label: 'Strony listy',
    previous: '‹ Poprzednia',
    next: 'Następna ›',
    place: (page: number, pages: number) => pl`Strona ${page} z ${pages}`,
    end: pl`Dalej nie da się przewinąć. Zawęź wyszukiwanie.`,
  },
  emptySearch: (asked: string) => pl`„${isolate(asked)}” nie ma na tej liście`,
  emptyFiltered: pl`Takich wpisów nie ma na tej liście`,
  emptyList: pl`Ta lista jest jeszcze pusta.`,
  firstPage: pl`Pierwsza strona`,
  emptyPage: pl`Ta lista ma mniej stron`,
  notSafe: pl`To nie znaczy, że jest bezpiecznie.`,
  emptySteps: [
    pl`Sprawdź pisownię. Łatwo pomylić „l” z „I” albo „O” z „0”.`,
    pl`Wklej ID, bo nick można zmienić. [Jak\u00a0znaleźć\u00a0ID?](/pomoc#jak-znalezc-id)`,
    pl`Masz dowody? [Zgłoś to konto albo serwer](/zglos).`,
  ],
  checkEverywhere: pl`Sprawdź na wszystkich listach`,
  wholeList: pl`‹ Cała lista`,
} as const;

export const FEEDS = {
  title: (list: ListKind) =>
    pl`${SITE_NAME}: ${LISTS.title[list].toLocaleLowerCase('pl')}, nowe ${list === 'legit' ? '' : 'potwierdzone '}wpisy`,
};

export function badValues(problems: readonly { readonly raw: string; readonly parameter: string }[]): string {
  const named = problems.map(({ raw, parameter }) => `„${isolate(`${parameter}=${raw}`)}”`).join(', ');
  return pl`Nie rozumiemy części adresu: ${named}. Pokazujemy listę bez tych ustawień.`;
}

export const tooLongSearch = (max: number, length: number): string =>
  pl`To za długie. Zmieści się ${max} znaków, a tu jest ich ${length}. Pokazujemy wszystkie wpisy.`;
