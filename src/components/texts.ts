/**
 * Every text of the interface but the long ones, which are in prose/. `**bold**` and `[label](address)` are drawn by
 * Rich.astro; polish.ts knows the forms of words and dates. A component takes data and gives markup; text is escaped by
 * Astro, or by markup.ts where rows are made without it.
 */
import type { Entry, ListKind } from '#src/entries/entry.ts';
import type { ProofsFilter, Sort, Status } from '#src/entries/list-query.ts';
import { appealsPath } from '#src/paths.ts';
import type { Forms } from './polish.ts';
import {
  countOf,
  formFor,
  formatDate,
  formatDay,
  formatDuration,
  formatPercent,
  formatTime,
  formatTimeExactly,
  isolate,
  pl,
} from './polish.ts';
import type { Incident } from '#src/status/incidents.ts';
import type { BotState, OverallHealth, PartHealth, PartId } from '#src/status/status.ts';
import type { Role } from './role.ts';

const ENTRIES: Forms = { one: 'wpis', few: 'wpisy', many: 'wpisów' };
const OTHERS: Forms = { one: 'inny', few: 'inne', many: 'innych' };
const DIFFERENCES: Forms = { one: 'inna różnica', few: 'inne różnice', many: 'innych różnic' };

export const SITE_NAME = 'Czujka';

/** The platform in the genitive; its name is not declined, and may not be set yet. */
export const ofPlatform = (name: string | undefined): string =>
  name === undefined ? pl`platformy, której dotyczą wpisy` : pl`platformy ${name}`;

export const NAV = {
  label: 'Główna',
  skip: pl`Przejdź do treści`,
  check: 'Sprawdź',
  lists: { scammers: 'Zgłoszeni', servers: 'Serwery', legit: 'Zaufani' } satisfies Record<ListKind, string>,
} as const;

export const FOOTER = {
  label: 'Pomoc i zasady',
  links: [
    { href: '/odwolania', text: 'Odwołania' },
    { href: '/zglos', text: 'Zgłoś konto' },
    { href: '/jak-powstaja-wpisy', text: 'Jak powstają wpisy' },
    { href: '/pomoc', text: 'Pomoc' },
    { href: '/donate', text: 'Wesprzyj' },
    { href: '/prywatnosc', text: 'Prywatność' },
    { href: '/docs', text: 'API' },
    { href: '/status', text: 'Status' },
  ],
  notice: (platform: string | undefined) =>
    pl`Wpis oznacza zgłoszenie, nie wyrok. Czujka nie należy do ${ofPlatform(platform)}.`,
  runBy: pl`Czujkę prowadzi`,
  theme: 'Motyw',
  themes: { system: 'Systemowy', light: 'Jasny', dark: 'Ciemny' },
} as const;

export const BADGE_WORD: Readonly<Record<Role, string>> = {
  stop: 'Potwierdzone zgłoszenie',
  warn: 'Lista ryzyka',
  good: 'Lista zaufanych',
  none: 'Brak wpisu',
};

/** After the word of a badge, where persons and servers stand together. */
export const SERVER_BADGE = ', serwer';

export const COPY = {
  button: 'Kopiuj',
  label: (name?: string) => (name === undefined ? 'Kopiuj ID' : `Kopiuj ID ${isolate(name)}`),
  linkLabel: 'Kopiuj link do tego wyniku',
  done: 'Skopiowano',
  byHand: 'Zaznaczono. Skopiuj ręcznie.',
} as const;

export const CHECK = {
  title: pl`Sprawdź, zanim zapłacisz`,
  label: 'Nick, nazwa serwera albo ID',
  button: 'Sprawdź',
  hint: pl`Najpewniej po ID: nick można zmienić.`,
  whereIsId: pl`Skąd wziąć ID?`,
  legend: {
    title: 'Co oznacza odpowiedź',
    rows: [
      { role: 'stop', text: pl`**Potwierdzone zgłoszenie** – nie płać.` },
      { role: 'warn', text: pl`**Lista ryzyka** – zgłoszenie jeszcze niepotwierdzone, wstrzymaj się.` },
      { role: 'good', text: pl`**Lista zaufanych** – porównaj ID, nick i awatar da się skopiować.` },
      { role: 'none', text: pl`**Brak wpisu** – to nie znaczy, że jest bezpiecznie.` },
    ] satisfies { role: Role; text: string }[],
  },
  empty: pl`Wpisz nick albo ID.`,
  tooLong: (max: number, length: number) => pl`Za długie: najwyżej ${max} znaków, tu jest ${length}.`,
  idLength: (digits: number) =>
    pl`To nie jest ID: ma ${countOf(digits, { one: 'cyfrę', few: 'cyfry', many: 'cyfr' })}, ID ma 17–20.`,
  invite: pl`Zaproszenie nie zawiera ID serwera.`,
  direct: pl`Ten link prowadzi do prywatnej rozmowy i nie zawiera ID osoby ani serwera.`,
  link: pl`Z tego linku nie odczytamy, o kogo chodzi. Wklej samo ID albo wpisz nick.`,
  several: pl`W tym tekście jest kilka ID. Wklej tylko jedno.`,
  rounded: pl`To ID wygląda na zaokrąglone: niektóre programy gubią ostatnie cyfry długich liczb. Skopiuj je jeszcze raz u źródła.`,
  noReport: pl`Nie ma wpisu o tym numerze. Mógł zostać usunięty.`,
  live: {
    nothing: pl`Na razie nic podobnego. Dokończ i naciśnij Sprawdź.`,
    wholeId: pl`Na listach jest wpis z tym ID. Naciśnij Sprawdź.`,
    failed: pl`Nie udało się sprawdzić. To nie jest wynik sprawdzenia.`,
    again: pl`Sprawdź ponownie`,
    limited: pl`Za dużo zapytań. Spróbuj ponownie za {N} s. To nie jest wynik sprawdzenia.`,
    offline: pl`Brak połączenia. Poprzedni wynik może być nieaktualny.`,
  },
} as const;

/** In the locative: "na liście zgłoszonych". */
const LIST_OF: Readonly<Record<Role, string>> = {
  stop: 'zgłoszonych',
  warn: 'ryzyka',
  good: 'zaufanych',
  none: '',
};

const atLeast = (hasMore: boolean): string => (hasMore ? pl`co najmniej ` : '');
const capitalize = (text: string): string => text.charAt(0).toLocaleUpperCase('pl') + text.slice(1);

/** Who or what an entry is about changes the sentence. */
export const ANSWER = {
  title: (role: Role, list: ListKind | undefined): string => {
    if (role === 'none') return pl`Nie ma na żadnej liście`;
    if (role === 'good') return pl`To ID jest na liście zaufanych`;
    const subject = list === 'servers' ? 'Ten serwer jest' : 'To ID jest';
    return pl`${subject} na liście ${role === 'stop' ? 'zgłoszonych' : 'ryzyka'}`;
  },
  reportTitle: (reportId: string, role: Role) => pl`Wpis nr ${reportId} jest na liście ${LIST_OF[role]}`,
  lead: (role: Role, reportedAt: number): string =>
    ({
      stop: pl`Potwierdzone zgłoszenie z ${formatDate(reportedAt)}. [Jak to sprawdzamy?](/jak-powstaja-wpisy)`,
      warn: pl`**Zgłoszenia jeszcze nie potwierdzono.** Może być nietrafione.`,
      good: pl`Społeczność poleca to konto. To nie gwarancja: każde konto można przejąć.`,
      none: pl`**To nie znaczy, że jest bezpiecznie.** Nikt nie zgłosił tego ID albo jest ono nowe.`,
    })[role],
  stepsTitle: (role: Role) => (role === 'none' ? 'Zanim zapłacisz' : 'Co teraz'),
  /** @param entry undefined where there is none: nobody knows then whether the ID is a person's or a server's */
  steps: (
    role: Role,
    entry: Pick<Entry, 'list' | 'proofs' | 'visibleText'> | undefined,
  ): readonly string[] => {
    if (role === 'none' || !entry) return STEPS.none;
    if (role === 'good') return STEPS.good;
    const hasReason = entry.visibleText !== '';
    const kind = entry.list === 'servers' ? 'server' : 'person';
    if (role === 'warn') return STEPS.warn[kind](hasReason);
    const toRead = STEPS.read[`${hasReason}-${entry.proofs === 'public'}`];
    return [STEPS.stop[kind], ...(toRead === undefined ? [] : [toRead]), STEPS.stop.paid];
  },
  entryTitle: (reportId: string) => pl`Wpis nr ${reportId}`,
  reason: 'Powód',
  noReason: pl`Wpis nie podaje powodu.`,
  proofs: 'Dowody',
  nick: 'Nick',
  serverName: 'Nazwa serwera',
  id: 'ID',
  /** Of a trusted one nobody reported anything. */
  reported: (list: ListKind) => (list === 'legit' ? 'Dodano' : 'Zgłoszono'),
  updated: 'Ostatnia zmiana',
  report: 'Nr zgłoszenia',
  appeal: (reportId: string) =>
    pl`[Złóż odwołanie](${appealsPath(reportId)}), podaj nr \`${reportId}\`. Jest bezpłatne. Nikt poza Czujką nie usuwa wpisów – nie płać za „zdjęcie z listy”.`,
  reportIt: pl`Masz dowody? [Zgłoś to ID](/zglos).`,
  screenshot: (address: string) => pl`Zrzut ekranu można podrobić. Sprawdzaj zawsze pod ${address}.`,
  legitLeftOut: pl`Listy zaufanych nie pokazujemy, gdy jest wpis na liście zgłoszonych lub ryzyka.`,
  otherEntries: pl`Inne wpisy z tym ID`,
  aside: {
    label: pl`Co jeszcze możesz zrobić`,
    yours: pl`To Twoje konto?`,
    yourServer: pl`To Twój serwer?`,
    paid: pl`Pieniądze już wysłane?`,
    help: pl`[Co zrobić teraz](/pomoc#po-wplacie)`,
    link: pl`Link do tego wyniku`,
    asOf: (time: string) => pl`Stan z ${time}.`,
  },
} as const;

const AND_READ = pl` i przeczytaj powód`;
const NO_LOGIN = pl`Nie loguj się przez linki z tego serwera i nie dodawaj jego botów.`;

const STEPS = {
  stop: {
    person: pl`Nie wysyłaj pieniędzy, przedmiotów ani danych logowania.`,
    server: NO_LOGIN,
    paid: pl`Pieniądze już wysłane? [Zobacz, co zrobić teraz](/pomoc#po-wplacie).`,
  },
  /** By whether there is a reason, and whether there are proofs that everybody can see. */
  read: {
    'true-true': pl`Przeczytaj powód i zobacz dowody.`,
    'true-false': pl`Przeczytaj powód.`,
    'false-true': pl`Zobacz dowody.`,
    'false-false': undefined,
  },
  warn: {
    person: (hasReason: boolean) => [
      pl`Wstrzymaj się z płatnością${hasReason ? AND_READ : ''}.`,
      pl`Poproś o potwierdzenie na serwerze, na którym ta osoba handluje.`,
      pl`Płać po odbiorze albo przez pośrednika, którego ID też tu sprawdzisz.`,
    ],
    server: (hasReason: boolean) => [
      NO_LOGIN,
      pl`Wstrzymaj się z płatnościami na tym serwerze${hasReason ? AND_READ : ''}.`,
      pl`Zapytaj o ten serwer ludzi spoza niego.`,
    ],
  },
  good: [
    pl`Porównaj ID w rozmowie z tym ID, cyfra po cyfrze: nick i awatar da się skopiować.`,
    pl`Nagle inny numer konta lub adres portfela? Przerwij i zapytaj innym kanałem.`,
  ],
  none: [
    pl`Sprawdź ID, nie tylko nick.`,
    pl`Zapytaj publicznie na znanym Ci serwerze, czy ktoś wie, z kim masz do czynienia.`,
    pl`Nie płać kodem BLIK ani kartą podarunkową komuś, kogo nie znasz.`,
    pl`Ktoś popędza? Przerwij.`,
  ],
} as const;

export const NICK_ANSWER = {
  /** @param hasMore than these, as for the next three */
  same: (role: Role, count: number, hasMore: boolean): string => {
    const list = LIST_OF[role];
    if (count === 1) return pl`Na liście ${list} jest wpis z takim nickiem`;
    const verb = formFor(count, { one: 'jest', few: 'są', many: 'jest' });
    return pl`Na liście ${list} ${verb} ${atLeast(hasMore)}${countOf(count, ENTRIES)} z takim nickiem`;
  },
  similar: (count: number, hasMore: boolean) =>
    capitalize(pl`${atLeast(hasMore)}${countOf(count, ENTRIES)} z podobnym nickiem`),
  preview: (count: number, hasMore: boolean) =>
    pl`Na listach: ${atLeast(hasMore)}${countOf(count, { one: 'podobny', few: 'podobne', many: 'podobnych' })}`,
  onLists: (count: number, hasMore: boolean) =>
    capitalize(pl`${atLeast(hasMore)}${countOf(count, ENTRIES)} na listach`),
  none: pl`Żaden wpis nie ma takiego nicku`,
  noneLead: pl`**To nie znaczy, że jest bezpiecznie.** Nick można zmienić w minutę, a ID zostaje.`,
  matched: pl`Dopasowanie po nicku, nie po ID. Nick może mieć każdy: porównaj ID, zanim wyciągniesz wnioski.`,
  checkId: pl`Sprawdź to ID`,
  rowsTitle: 'Znalezione wpisy',
  tooMany: (list: ListKind, href: string) =>
    pl`${LISTS.title[list]}: pokazujemy 20 pierwszych. [Zobacz wszystkie na liście](${href}).`,
  reportIt: pl`Masz dowody? [Zgłoś konto](/zglos).`,
} as const;

/** A likeness shows no intent: nothing here says that somebody imitates anybody. */
export const LIKENESS = {
  warning: (byId: boolean) =>
    byId ? pl`Uwaga: podobny nick, inne ID` : pl`Uwaga: ten nick przypomina nick zaufanej osoby`,
  trusted: pl`Na liście zaufanych jest`,
  hasId: pl`o ID`,
  compare: (byId: boolean) =>
    byId
      ? pl`To, które sprawdzasz, jest inne. Porównaj cyfra po cyfrze.`
      : pl`Nick może mieć każdy. Porównaj ID cyfra po cyfrze: inne ID to inne konto.`,
  reported: pl`Na listach są konta o podobnym nicku`,
  differs: pl`Różni je:`,
  polishOnly: pl`Różnią je tylko polskie litery:`,
  same: pl`Nicki są takie same.`,
  andMore: (count: number) => pl`; i ${countOf(count, DIFFERENCES)}`,
  others: (count: number) => pl`i ${countOf(count, OTHERS)}`,
  none: pl`Nie ma wpisu z takim nickiem, są podobne`,
  unknown: pl`Podobnych nicków nie da się teraz sprawdzić. Spróbuj ponownie za chwilę.`,
} as const;

export const ACCOUNT_AGE = {
  label: (isServer: boolean) => (isServer ? 'Serwer założony' : 'Konto założone'),
  value: (date: string, ago: string) => pl`${date}, ${ago}`,
  isNew: (isServer: boolean) =>
    isServer ? pl`Nowy serwer – uważaj bardziej niż zwykle` : pl`Nowe konto – uważaj bardziej niż zwykle`,
} as const;

export const FOREIGN_LETTERS = (script: 'Cyrillic' | 'Greek', isServer: boolean) =>
  `${isServer ? 'Nazwa' : 'Nick'} zawiera litery ${script === 'Cyrillic' ? 'cyrylicy' : 'greckie'}:`;

export const FEEDS = {
  title: (list: ListKind) =>
    pl`${SITE_NAME}: ${LISTS.title[list].toLocaleLowerCase('pl')}, nowe potwierdzone wpisy`,
};

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

const PROOF_KINDS = { file: 'zrzut ekranu', text: 'opis', url: 'link' } as const;

export const PROOFS = {
  /** Names nobody: chats and search engines show it without the page. */
  title: (reportId: string) => pl`Dowody do wpisu nr ${reportId}`,
  titleStart: 'Dowody:',
  item: (n: number, total: number, kind: keyof typeof PROOF_KINDS) =>
    pl`Dowód ${n} z ${total}: ${PROOF_KINDS[kind]}`,
  short: (n: number, total: number) => pl`Dowód ${n} z ${total}`,
  kinds: { file: 'Zrzut ekranu', text: 'Opis', url: 'Link' } satisfies Record<
    keyof typeof PROOF_KINDS,
    string
  >,
  list: 'Lista',
  onThisPage: pl`Na tej stronie`,
  print: 'Drukuj',
  paper: (date: string, address: string) =>
    pl`Wydruk z ${date}. Aktualny stan: ${address}. Wpis oznacza zgłoszenie, nie wyrok.`,
  leaving: pl`Otwiera stronę poza Czujką. Nie loguj się tam i niczego nie pobieraj.`,
  pending: pl`Ten obraz nie jest jeszcze przygotowany do pokazania.`,
  alt: (caption: string | null, n: number) => caption ?? pl`Dowód ${n}, bez opisu`,
  caption: (caption: string) => pl`Podpis: ${caption}`,
  enlarge: 'Powiększ',
  fit: 'Zmniejsz',
  picture: 'Obraz',
  enlargeLabel: (n: number) => pl`Powiększ dowód ${n}`,
  previous: 'Poprzedni',
  next: 'Następny',
  close: 'Zamknij',
  private: {
    title: pl`Dowody są niepubliczne`,
    summary: pl`Widziała je obsługa. Osoba, której dotyczy wpis, może poprosić o wgląd.`,
    text: pl`Widziała je obsługa. Nie publikujemy ich, np. ze względu na dane innych osób. Jeśli wpis dotyczy Ciebie, poproś o wgląd: [Odwołania](/odwolania).`,
    entry: pl`Zobacz wpis`,
    check: pl`Sprawdź inny nick albo ID`,
  },
  missing: {
    title: pl`Nie ma takich dowodów`,
    text: pl`Wpis mógł zostać usunięty, na przykład po odwołaniu.`,
  },
} as const;

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

/** For a value of the check, which has nothing to fall back to. */
export const badCheckValue = (given: string, parameter: string): string =>
  pl`Nie znamy wartości „${isolate(given)}” dla „${parameter}”. Wpisz w pole ID albo nick i sprawdź ponownie.`;

export const tooLongSearch = (max: number, length: number): string =>
  pl`Za długie: najwyżej ${max} znaków, tu jest ${length}. Pokazujemy wszystkie wpisy.`;

const PART_NAMES: Readonly<Record<PartId, string>> = {
  database: pl`Baza danych`,
  litecoin: pl`Sieć Litecoin`,
  chat_platform: pl`Platforma czatu`,
  protection_service: pl`Usługa ochrony`,
  main_bot: pl`Bot główny`,
  protection_public_bot: pl`Bot ochrony publicznej`,
  protection_admin_bot: pl`Bot ochrony administracji`,
};

export const STATUS = {
  parts: PART_NAMES,
  /** What follows a name and stands on a badge. */
  health: {
    good: 'działa',
    slow: pl`działa wolno`,
    partly: pl`częściowo działa`,
    bad: pl`nie działa`,
    none: 'nieskonfigurowane',
  } satisfies Record<PartHealth | OverallHealth, string>,
  /** Names of checks are feminine, those of bots masculine. */
  healthOf: (part: PartId, health: PartHealth): string => {
    if (health !== 'none') return STATUS.health[health];
    return part.endsWith('_bot') ? 'nieskonfigurowany' : 'nieskonfigurowana';
  },
  overall: {
    good: pl`Wszystko działa`,
    partly: pl`Częściowo działa`,
    bad: pl`Nie działa`,
    none: pl`Nic nie podłączono`,
  } satisfies Record<OverallHealth, string>,
  botStates: {
    running: 'działa',
    starting: pl`uruchamia się`,
    stopping: pl`zatrzymuje się`,
    offline: 'wyłączony',
    unknown: pl`stan nieznany`,
    not_configured: 'nieskonfigurowany',
  } satisfies Record<BotState, string>,
  description: pl`Czy działają baza danych, boty i usługi, na których opiera się Czujka.`,
  checkedAt: (at: number) => pl`Sprawdzono o ${formatTimeExactly(at)}.`,
  refreshesItself: pl`Odświeża się samo.`,
  refresh: 'Odśwież',
  stale: {
    title: pl`Brak świeżych danych`,
    text: (at: number) => pl`Ostatnie sprawdzenie o ${formatTime(at)}. Ta strona może być nieaktualna.`,
  },
  notRecorded: (at: number | undefined) =>
    at === undefined
      ? pl`Historii jeszcze nie ma: nic jej nie zapisuje.`
      : pl`Historia teraz się nie zapisuje. Ostatni pomiar: ${formatDate(at)}, ${formatTime(at)}.`,
  newestBackup: (at: number | 'never') =>
    at === 'never'
      ? pl`Kopii zapasowej danych jeszcze nie ma.`
      : pl`Najnowsza kopia zapasowa danych: ${formatDate(at)}, ${formatTime(at)}.`,
  legend: pl`Legenda`,
  services: 'Usługi',
  bots: 'Boty',
  latency: (ms: number) => pl`${ms} ms`,
  /** @param span from `uptimeNames` or `since` */
  latencyChart: (span: string, usual: number, longest: number, at: number) =>
    pl`Opóźnienie, ${span}: zwykle ${usual} ms, najwyżej ${longest} ms o ${formatTime(at)}.`,
  daysChart: (range: string, uptime: string) => pl`Dni ${range}: ${uptime}.`,
  barsLegend: pl`Słupek to jeden dzień (UTC). Wysoki: działa. Niższy: z przerwami albo wolno. Niski: nie działa przez ponad 5% czasu. Kreska u dołu: brak pomiarów.`,
  uptimeNames: { day: pl`24 h`, week: pl`7 dni`, quarter: pl`90 dni` },
  notMeasured: pl`Brak pomiarów.`,
  uptime: (percent: number | null) => (percent === null ? pl`brak pomiarów` : formatPercent(percent, 2)),
  /** What is measured since less than the range says so. @param at epoch milliseconds; @param now of its newest step */
  since: (at: number, now: number) =>
    pl`od ${formatDate(at) === formatDate(now) ? formatTime(at) : formatDay(at)}`,
  range: (first: number, last: number) =>
    first === last ? formatDay(first) : pl`${formatDay(first)} – ${formatDay(last)}`,
  asTable: pl`Pokaż w tabeli`,
  tableCaption: (name: string) => pl`${name}: dni z pomiarami, od najnowszego`,
  tableHead: { day: 'Dzień', uptime: 'Działało', latency: pl`Średnie opóźnienie` },
  botFacts: { state: 'Stan', uptime: pl`Działa od`, memory: 'Pamięć', cpu: 'Procesor' },
  incidents: 'Zdarzenia',
  noIncidents: pl`Nie było żadnych zdarzeń.`,
  incidentsFeed: pl`Zdarzenia jako kanał Atom`,
  feedTitle: pl`Czujka: zdarzenia`,
  incidentTitle: (part: PartId) => pl`${PART_NAMES[part]}: nie działa`,
  incidentTime: ({ openedAt, closedAt }: Pick<Incident, 'openedAt' | 'closedAt'>): string => {
    const from = pl`${formatDate(openedAt)}, ${formatTime(openedAt)}`;
    if (closedAt === undefined) return pl`Od ${from}, nadal trwa.`;
    const until =
      formatDate(closedAt) === formatDate(openedAt)
        ? formatTime(closedAt)
        : pl`${formatDate(closedAt)}, ${formatTime(closedAt)}`;
    return pl`${from} – ${until} (${formatDuration(closedAt - openedAt)}).`;
  },
} as const;

export const DOCS = {
  description: pl`Listy i sprawdzanie jako JSON: bez klucza i bez logowania, z dowolnej domeny.`,
  contents: 'Spis treści',
  copy: 'Kopiuj',
  language: pl`Język przykładu`,
  tryIt: 'Wypróbuj',
  answer: pl`Odpowiedź`,
  waiting: pl`Pytamy…`,
  failed: pl`Nie udało się zapytać. To nie jest odpowiedź.`,
  cut: pl`… dalej ucięto`,
} as const;

/** Pages of things that went wrong: no colour, no jargon, and never to be taken for an answer. */
export const ERRORS = {
  notFound: {
    title: pl`Nie ma takiej strony`,
    text: pl`Sprawdź, czy adres jest cały. Wpis mógł też zostać usunięty, na przykład po odwołaniu.`,
  },
  rateLimited: {
    title: (seconds: string) => pl`Za dużo zapytań. Spróbuj ponownie za ${seconds} s.`,
    text: pl`Limit liczymy dla adresu IP, a ten w szkole lub u operatora bywa wspólny.`,
    notResult: pl`To nie jest wynik sprawdzenia.`,
    again: pl`Spróbuj ponownie`,
  },
  overloaded: (seconds: string) => pl`Serwis jest przeciążony. Spróbuj ponownie za ${seconds} s.`,
  internal: {
    title: pl`Coś się zepsuło po naszej stronie`,
    text: pl`Błąd podczas pobierania danych. To nie jest wynik sprawdzenia.`,
    incident: (incident: string) => pl`Nr zdarzenia ${incident}`,
    check: 'Sprawdź',
  },
} as const;
