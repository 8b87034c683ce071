/** Texts of the answer about one entry, or about none: the sentence and the next steps. */
import type { Appeal, PublicEntry, ListKind } from '#src/entries/entry.ts';
import { appealsPath, listPath } from '#src/paths.ts';
import { answeredIn, formatDate, formatTime, isolate, pl } from '../ui/polish.ts';
import type { EntryRole, Role } from '../ui/role.ts';
import type { Found } from './nick-answer-texts.ts';
import { badgeWord, predicateOf } from '../ui/roles-texts.ts';

/** Sentences differ for persons and servers. */
export const ANSWER = {
  title: (role: Role, list: ListKind | undefined): string => {
    if (role === 'none') return pl`Tego ID nie ma na żadnej liście`;
    const subject = list === 'servers' ? 'Ten serwer' : 'To konto';
    if (role === 'stop') return pl`${subject} ma potwierdzone zgłoszenie`;
    return pl`${subject} ${predicateOf(role, 1)}`;
  },
  reportTitle: (reportId: string, role: EntryRole, list: ListKind) =>
    role === 'good'
      ? pl`Wpis ${reportId} jest na liście zaufanych`
      : pl`Wpis ${reportId}: ${badgeWord(role, list).toLocaleLowerCase('pl')}`,
  /** The number of a report in front of the title of the entry that it led to. */
  ofReport: (reportId: string, title: string) => pl`Wpis ${reportId}. ${title}`,
  taken: (isServer: boolean) =>
    isServer ? pl`Rządzi nim ktoś inny niż właściciel.` : pl`Piszesz z kimś innym niż właściciel.`,
  /** The date of a report follows it. */
  lead: (role: Role, isServer: boolean, sayWhoConfirmed: boolean, isNewId: boolean): string =>
    ({
      stop: pl`**Nie płać i nic nie wysyłaj.** ${sayWhoConfirmed ? pl`Zespół Czujki sprawdził dowody. ` : ''}Zgłoszono `,
      warn: pl`**Wstrzymaj się z wpłatą.** To może być pomyłka. Zgłoszono `,
      victim: pl`**Nic nie wysyłaj.** ${ANSWER.taken(isServer)}`,
      good: pl`Poleca je społeczność. Gwarancji nie ma, bo każde konto można przejąć.`,
      none: pl`**To nie znaczy, że jest bezpiecznie.** Może nikt jeszcze nie zgłosił tego konta${isNewId ? ', a może dopiero powstało' : ''}.`,
    })[role],
  stepsTitle: (role: Role, isAccount = false) => {
    if (role === 'victim' && isAccount) return pl`Jeśli ktoś pisze do Ciebie z tego konta`;
    return role === 'none' ? 'Zanim zapłacisz' : 'Co teraz';
  },
  /** @param entry undefined where there is none: the ID may be a person's or a server's then */
  steps: (
    role: Role,
    entry: Pick<PublicEntry, 'list' | 'proofs' | 'visibleText'> | undefined,
  ): readonly string[] => {
    if (role === 'none' || !entry) return STEPS.none;
    if (role === 'good') return STEPS.good;
    const hasReason = entry.visibleText !== '';
    const kind = entry.list === 'servers' ? 'server' : 'person';
    if (role === 'victim') return STEPS.victim[kind];
    if (role === 'warn') return STEPS.warn[kind](hasReason);
    const isShown = entry.proofs === 'public';
    if (!hasReason) return [STEPS.stop[kind], ...(isShown ? [pl`[Obejrzyj dowody](#dowody).`] : [])];
    return [STEPS.stop[kind], isShown ? pl`${READ} i [obejrzyj dowody](#dowody).` : pl`${READ}.`];
  },
  /** For a query by nick, which anybody can have. */
  nickSteps: (): readonly string[] => [pl`Sprawdź ID, nie tylko nick. ${FIND_ID_LINK}`, ...STEPS.none],
  /**
   * Where a nick was found.
   * @param role of the strongest entry; `none`: they only look alike
   * @param badge word beside the ID that is meant, where the page has more than one ID
   */
  foundSteps: (role: Role, found: Found = 'accounts', badge?: string): readonly string[] => {
    const [whose, name] = ASKED[found];
    if (role === 'good' || role === 'victim') {
      const place = badge === undefined ? 'na stronie' : pl`przy znaku „${badge}”`;
      const compare = pl`Porównaj ID${whose} z tym ${place}, cyfra po cyfrze. ${FIND_ID_LINK}`;
      return role === 'good' ? [compare, LISTED_ID, OTHER_THAN_TRUSTED] : [compare, PAY_NOBODY, OTHER_ID];
    }
    const isIt = badge === undefined ? pl`To ID jest na tej stronie?` : pl`ID jest przy znaku „${badge}”?`;
    return [
      pl`Sprawdź ID${whose}, bo ${name} nie wystarczy. ${FIND_ID_LINK}`,
      pl`${isIt} ${SAME_ID[role]}`,
      OTHER_ID,
    ];
  },
  /** A trusted person has no reported reason, but a description. */
  reason: (list: ListKind) => (list === 'legit' ? 'Opis' : pl`Co się stało`),
  /** Says which letters of a Latin name only look Latin. */
  foreign: (script: 'Cyrillic' | 'Greek', isServer: boolean) =>
    `W ${isServer ? 'nazwie' : 'nicku'} są litery ${script === 'Cyrillic' ? 'cyrylicy' : 'greckie'}:`,
  formerly: pl`wcześniej:`,
  noReason: pl`Opisu jeszcze nie ma.`,
  proofs: 'Dowody',
  /** A trusted person was not reported. */
  reportNumber: (list: ListKind) => (list === 'legit' ? pl`Numer wpisu` : pl`Numer zgłoszenia`),
  address: pl`Stały adres tego wpisu`,
  copyAddress: pl`Kopiuj stały adres tego wpisu`,
  facts: {
    takenSince: pl`Przejęte od`,
    reported: (list: ListKind) => (list === 'legit' ? pl`Na liście od` : 'Zgłoszono'),
    verified: 'Potwierdzono',
    unconfirmed: 'Niepotwierdzone',
    since: (length: string) => pl`od ${length}`,
    updated: 'Ostatnia zmiana',
  },
  age: {
    from: (isServer: boolean) => (isServer ? pl`Serwer z` : pl`Konto z`),
    ofId: pl`To ID powstało`,
    is: (age: string) => pl`, ma ${age}`,
    isNew: (isServer: boolean, age: string) =>
      pl`${isServer ? 'Ten serwer' : 'To konto'} ma dopiero ${age}. Uważaj szczególnie.`,
  },
  checked: pl` · [Jak\u00a0sprawdzamy zgłoszenia?](/jak-powstaja-wpisy)`,
  asOf: (at: number) => pl`Stan na ${formatDate(at)}, ${formatTime(at)}`,
  /** The note is a user's text. Days of this year stand without it. */
  appealed: ({ openedAt, decidedAt, note }: Appeal, now: number): string => {
    const day = (at: number): string => formatDate(at).replace(formatDate(now).slice(-5), '');
    if (decidedAt === null) return pl`Odwołanie z ${day(openedAt)}, czeka na decyzję.`;
    const why = note === null ? '' : `, bo ${isolate(note.replace(/\.$/, ''))}`;
    return pl`Odwołanie z ${day(openedAt)}: wpis podtrzymano ${day(decidedAt)}${why}.`;
  },
  /** For the owner of a reported or hijacked account or server. */
  owner: {
    title: (list: ListKind) => (list === 'servers' ? pl`To Twój serwer?` : pl`To Twoje konto?`),
    appeal: ({ appeal }: Pick<PublicEntry, 'appeal'>, days: number | undefined) =>
      !appeal
        ? {
            text: pl`Jeśli to pomyłka, chcemy ją jak najszybciej naprawić. Odwołanie jest bezpłatne, przeczyta je człowiek.`,
            button: pl`Odwołaj się`,
          }
        : appeal.decidedAt === null
          ? {
              text: pl`Twoje odwołanie czyta teraz człowiek. ${answeredIn(days)} Do decyzji wpis się nie zmienia.`,
            }
          : {
              text: pl`Masz nowe dowody? Odwołaj się jeszcze raz i napisz, czego wcześniej nie widzieliśmy.`,
              button: pl`Odwołaj się jeszcze raz`,
            },
    payNobody: pl`Nikomu nie płać za „zdjęcie z listy”, wpisy usuwa tylko Czujka, zawsze za darmo.`,
    notGuilty: pl`To nie Twoja wina. Wpis ostrzega innych. O nic Cię nie oskarża.`,
    steps: ({ list, reportId }: Pick<PublicEntry, 'list' | 'reportId'>): readonly string[] => [
      pl`Zmień hasło i wyloguj wszystkie urządzenia.`,
      pl`Włącz logowanie dwuetapowe.`,
      pl`Masz już ${list === 'servers' ? 'serwer' : 'konto'} z powrotem? [Napisz](${appealsPath(reportId)}), ${list === 'legit' ? 'wpis wróci na listę zaufanych' : 'zdejmiemy wpis'}.`,
    ],
    help: pl`[Co zrobić po utracie konta](/pomoc#po-wplacie)`,
  },
  paid: pl`Już po wpłacie? Zobacz, co zrobić`,
  looked: pl`Co sprawdziliśmy`,
  lists: (isId: boolean) =>
    pl`${isId ? 'Tego ID' : 'Takiego nicku'} nie ma wśród [zgłoszonych osób](${listPath('scammers')}), [zgłoszonych serwerów](${listPath('servers')}) ani [zaufanych](${listPath('legit')}).`,
  reportIt: (isTrusted: boolean, href: string) =>
    pl`**${isTrusted ? 'Coś poszło nie tak' : 'Masz dowody'}?** [Zgłoś to konto](${href})`,
  screenshot: (host: string) => pl`Zrzut ekranu można podrobić. Sprawdzaj zawsze na ${host}.`,
  legitLeftOut: pl`To konto jest też na liście zaufanych, ale zgłoszenie jest ważniejsze.`,
  otherEntries: pl`Inne wpisy z tym ID`,
  share: pl`Udostępnij wynik`,
  shared: pl`Skopiowano link`,
  print: 'Drukuj',
} as const;

const SAME_ID = {
  stop: pl`Nie płać.`,
  warn: pl`Wstrzymaj się z wpłatą.`,
  none: pl`Nie płać, dopóki nie przeczytasz jego wpisu.`,
};
/** Whose ID to look at, and what does not suffice. */
const ASKED: Readonly<Record<Found, readonly [whose: string, name: string]>> = {
  accounts: [pl` rozmówcy`, pl`sam nick`],
  servers: [pl` serwera`, pl`sama nazwa`],
  mixed: ['', pl`sam nick albo nazwa`],
};
const OTHER_ID = pl`ID jest inne? Wklej je w pole na górze i sprawdź.`;
const OTHER_THAN_TRUSTED = pl`ID jest inne? Nie płać, to inne konto. Wklej je w pole na górze i sprawdź.`;
const LISTED_ID = pl`ID jest takie samo? To konto z listy zaufanych, ale gwarancji nie ma.`;
const PAY_NOBODY = pl`ID jest takie samo? Pisze ktoś inny niż właściciel. Nie płać.`;
const FIND_ID_LINK = pl`[Jak\u00a0znaleźć\u00a0ID?](/pomoc#jak-znalezc-id)`;
const READ = pl`[Przeczytaj, co się stało](#opis)`;
const NO_LOGIN = pl`Nie loguj się przez linki z tego serwera i nie dodawaj jego botów do siebie.`;

const TELL_OWNER = pl`Daj znać właścicielowi inną drogą: telefonem, na żywo, przez kogoś bliskiego.`;

const STEPS = {
  victim: {
    person: [pl`Nie wysyłaj pieniędzy ani kodów i nie otwieraj linków, które przyśle.`, TELL_OWNER],
    server: [pl`Nie wysyłaj tam pieniędzy ani kodów.`, NO_LOGIN, TELL_OWNER],
  },
  stop: {
    person: pl`Zablokuj rozmówcę, ale nie usuwaj rozmowy.`,
    server: NO_LOGIN,
  },
  warn: {
    person: (hasReason: boolean) => [
      ...(hasReason ? [pl`${READ}.`] : []),
      pl`Zapytaj o tę osobę na serwerze, któremu ufasz.`,
      pl`Jeśli mimo to płacisz, to po odbiorze albo przez pośrednika z [listy zaufanych](${listPath('legit')}), którego wybierzesz Ty, a nie druga osoba.`,
    ],
    server: (hasReason: boolean) => [
      NO_LOGIN,
      ...(hasReason ? [pl`${READ}.`] : []),
      pl`Zapytaj o ten serwer kogoś, kto nic na nim nie sprzedaje.`,
    ],
  },
  good: [
    pl`ID przyszło w wiadomości? Skopiuj je jeszcze raz z profilu rozmówcy i sprawdź.`,
    pl`Nagle podaje inny numer konta albo adres portfela? Przerwij i potwierdź to inaczej, na przykład przez telefon.`,
  ],
  none: [
    pl`Zapytaj o tę osobę na serwerze, któremu ufasz.`,
    pl`Nie podawaj kodu BLIK i nie kupuj kart podarunkowych dla kogoś, kogo nie znasz.`,
    pl`Ktoś Cię pogania? Przerwij.`,
  ],
} as const;
