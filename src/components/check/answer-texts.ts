/** What is said of one entry, or that there is none, and what to do next. */
import type { Entry, ListKind } from '#src/entries/entry.ts';
import { appealsPath } from '#src/paths.ts';
import { formatDate, pl } from '../ui/polish.ts';
import type { Role } from '../ui/role.ts';
import { LIST_OF } from '../ui/roles-texts.ts';

/** Who or what an entry is about changes the sentence. */
export const ANSWER = {
  title: (role: Role, list: ListKind | undefined): string => {
    if (role === 'none') return pl`Nie ma na żadnej liście`;
    if (role === 'good') return pl`To ID jest na liście zaufanych`;
    const subject = list === 'servers' ? 'Ten serwer jest' : 'To ID jest';
    return pl`${subject} na liście ${role === 'stop' ? 'zgłoszonych' : 'ryzyka'}`;
  },
  reportTitle: (reportId: string, role: Role) => pl`Wpis ${reportId} jest na liście ${LIST_OF[role]}`,
  lead: (role: Role, reportedAt: number): string =>
    ({
      stop: pl`Potwierdzone zgłoszenie z ${formatDate(reportedAt)}. [Jak to sprawdzamy?](/jak-powstaja-wpisy)`,
      warn: pl`**Zgłoszenia jeszcze nie potwierdzono.** Może być nietrafione.`,
      good: pl`Społeczność poleca to konto. To nie gwarancja: każde konto można przejąć.`,
      none: pl`**To nie znaczy, że jest bezpiecznie.** Nikt nie zgłosił tego ID albo konto jest nowe.`,
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
  entryTitle: (reportId: string) => pl`Wpis ${reportId}`,
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
