/** What a donor reads: one heading and one sentence a state, and nothing else than what happened and what to do. */
import type { Donation, PremiumTier } from '#src/donations/donation.ts';
import type { Watched } from '#src/donations/watched.ts';
import { formatDate, formatTime, pl } from '../ui/polish.ts';
import type { Role } from '../ui/role.ts';

const NO_BREAK = '\u00a0';
/** Blocks come every two and a half minutes on average. */
const BLOCK_MINUTES = 2.5;
const LITOSHI_PER_LTC = 100_000_000;

const ltcAmounts = new Intl.NumberFormat('pl', { maximumFractionDigits: 8 });
const zlAmounts = new Intl.NumberFormat('pl', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** 0,125 LTC. */
export function ltc(litoshi: number): string {
  return `${ltcAmounts.format(litoshi / LITOSHI_PER_LTC)}${NO_BREAK}LTC`;
}

/** 42,10 zł. */
export function zl(grosze: number): string {
  return `${zlAmounts.format(grosze / 100)}${NO_BREAK}zł`;
}

/** The time of day, with the day when it is not today's. */
function moment(at: number, now: number): string {
  return formatDate(at) === formatDate(now) ? formatTime(at) : `${formatDate(at)}, ${formatTime(at)}`;
}

const ROLES: Readonly<Record<Donation['status'], Role | undefined>> = {
  pending: 'none',
  seen: undefined,
  confirming: undefined,
  underpaid: 'warn',
  confirmed: 'good',
  forwarding: 'good',
  forwarded: 'good',
  expired: 'warn',
  failed: 'stop',
};

export interface DonationView {
  readonly title: string;
  /** Undefined: no mark, an ink edge. */
  readonly role: Role | undefined;
  /** That nobody looks at the chain, and so nothing here is going to change by itself. */
  readonly notice: string | undefined;
  readonly sentences: readonly string[];
  /** Whether it may still get what the amount buys. */
  readonly isTierOpen: boolean;
  /** Nothing is going to change by itself any more. */
  readonly isOver: boolean;
  /** Whether address and QR code are shown, for this much more. */
  readonly missingLitoshi: number;
  /** Of the five steps, the one that is under way, from 1; 0 where no step is. */
  readonly step: number;
}

export const DONATION = {
  step: (n: number, total: number) => pl`Krok ${n} z ${total}`,
  steps: ['Wpłata', 'Zauważona', 'Potwierdzona', 'Przekazana', 'Rola'],
  stepsLabel: 'Przebieg wpłaty',
  wallet: pl`Otwórz w portfelu`,
  scan: pl`Zeskanuj kod w portfelu albo skopiuj adres i kwotę.`,
  compare: pl`Porównaj w portfelu pierwsze i ostatnie 6 znaków adresu.`,
  address: 'Adres',
  amount: 'Kwota',
  copyAddress: pl`Kopiuj adres`,
  copyAmount: pl`Kopiuj kwotę`,
  copyId: pl`Kopiuj nr wpłaty`,
  qr: (amount: string) => pl`Kod QR z adresem i kwotą ${amount}`,
  progress: 'Potwierdzenia',
  facts: 'Szczegóły',
  id: 'Nr wpłaty',
  received: 'Dotarło',
  value: 'Wartość',
  tier: 'Premium',
  tiers: { monthly: pl`miesiąc`, lifetime: pl`na zawsze` } satisfies Record<PremiumTier, string>,
  created: 'Utworzono',
  transaction: pl`Transakcja wpłaty`,
  forwardTransaction: pl`Transakcja przekazania`,
  role: 'Rola',
  roles: {
    waiting: pl`Rola pojawi się w ciągu kilku minut.`,
    done: pl`Rola nadana.`,
  },
  roleFailed: pl`Nie udało się nadać roli.`,
  write: pl`Napisz do nas i podaj nr wpłaty.`,
  keepId: pl`Zachowaj nr wpłaty. Nie podano jeszcze adresu, na który można napisać w tej sprawie.`,
  contact: pl`Pytania? Napisz:`,
  refresh: 'Odśwież',
  live: pl`Ta strona odświeża się sama.`,
  lost: pl`Brak połączenia od minuty. Stan na tej stronie może być nieaktualny.`,
  behind: (since: number, now: number) =>
    pl`Od ${moment(since, now)} nie mamy świeżych danych z sieci Litecoin. Wpłata nie przepadnie, ale pokażemy ją tutaj z opóźnieniem.`,
  nobody: pl`Nikt nie śledzi teraz sieci Litecoin, więc ta strona sama nie zauważy wpłaty ani jej zmian.`,
  /** Spoken and shown in the last quarter of the time. */
  left: pl`Zostało {N} min`,
  leftLast: pl`Została niecała minuta`,
  about: pl`Ceny i zasady wpłat`,
  invalid: {
    title: pl`Nieprawidłowe ID płatności`,
    text: pl`Sprawdź, czy link jest cały.`,
  },
  missing: { title: pl`Nie znaleziono`, text: pl`Sprawdź, czy link jest cały.` },
  page: {
    title: pl`Wesprzyj Czujkę`,
    description: pl`Na co idą wpłaty w litecoinach, ile kosztuje premium i jak zacząć.`,
    lead: pl`Wpłaty przyjmujemy w litecoinach (LTC).`,
    purpose: pl`Na co idą wpłaty`,
    prices: 'Ceny premium',
    month: pl`Miesiąc`,
    lifetime: pl`Na zawsze`,
    pricesNote: pl`Kwotę w LTC liczymy po kursie z chwili, w której zaczynasz wpłatę, i już jej nie zmieniamy.`,
    start: pl`Jak zacząć`,
    after: pl`Co dzieje się potem`,
    steps: [
      pl`Dostajesz link do strony z adresem, kwotą i kodem QR. Ten adres służy tylko do tej jednej wpłaty.`,
      pl`Wysyłasz podaną kwotę. Strona sama pokaże, że widzimy wpłatę, i policzy potwierdzenia.`,
      pl`Po potwierdzeniu Twoja część jest skończona. Rola, jeśli wpłata ją daje, pojawia się w ciągu kilku minut.`,
    ],
    nobody: pl`Nikt nie śledzi teraz sieci Litecoin, więc wpłaty nie zauważymy sami. Zanim coś wyślesz, napisz do nas.`,
    nobodyAtAll: pl`Nikt nie śledzi teraz sieci Litecoin, więc wpłaty nie zauważymy sami. Nie podano też adresu, na który można napisać, dlatego nic teraz nie wysyłaj.`,
    nobodyStep: pl`Piszesz do nas, zanim wyślesz podaną kwotę: teraz strona nie zauważy wpłaty sama.`,
    privacy: pl`Strona wpłaty nie mówi, kto wpłaca. Widzi ją tylko ten, kto ma link; sama transakcja jest jednak w sieci Litecoin jawna.`,
  },
} as const;

/**
 * @param amountGrosze what the donation is worth now
 * @param watched nothing is promised that needs somebody to look at the chain when nobody does
 * @param canWrite whether the page names an address that donors can write to
 */
export function describeDonation(
  donation: Donation,
  amountGrosze: number,
  watched: Watched,
  canWrite: boolean,
  now: number,
): DonationView {
  const { status, roleStatus, receivedLitoshi, minimumLitoshi, expiresAt } = donation;
  const missing = minimumLitoshi - receivedLitoshi;
  const until = moment(expiresAt, now);
  const over =
    receivedLitoshi > minimumLitoshi
      ? [
          pl`Dotarło więcej, niż potrzeba: ${ltc(receivedLitoshi)} zamiast ${ltc(minimumLitoshi)}. Liczymy całość.`,
        ]
      : [];
  const isOpen = now < expiresAt;
  const write = canWrite ? DONATION.write : DONATION.keepId;
  const writeFirst = canWrite
    ? pl`Zanim coś wyślesz, napisz do nas, podaj nr wpłaty i poczekaj na odpowiedź.`
    : pl`Nic teraz nie wysyłaj: nie podano też adresu, na który można napisać.`;
  // Whom nobody hears is not asked to send money.
  const maySend = watched !== 'never' || canWrite;
  const view = (title: string, sentences: readonly string[], step: number, asked = 0): DonationView => ({
    title,
    role: status === 'pending' && !isOpen ? ROLES.expired : ROLES[status],
    notice: describeWatch(donation, watched, now),
    sentences,
    isTierOpen:
      status !== 'expired' &&
      status !== 'failed' &&
      (isOpen || (status !== 'pending' && status !== 'underpaid')),
    isOver: status === 'failed' || (status === 'forwarded' && roleStatus !== 'waiting'),
    missingLitoshi: maySend ? asked : 0,
    step,
  });
  switch (status) {
    case 'pending':
      if (!isOpen)
        return view(
          pl`Czas na wpłatę minął`,
          [
            pl`**Nic nie wysłano?** Zacznij nową wpłatę, nie używaj już tego adresu.`,
            watched === 'never'
              ? pl`**Wysłano coś?** ${write}`
              : pl`**Wysłano przed ${until}?** Zostaw tę stronę, wpłata pojawi się tu, gdy sprawdzimy sieć.`,
          ],
          0,
        );
      return view(
        pl`Czekamy na wpłatę`,
        [
          ...(maySend ? [pl`Wyślij **${ltc(minimumLitoshi)}** (${zl(amountGrosze)}) do ${until}.`] : []),
          ...(watched === 'yes' ? [pl`Możesz zamknąć tę stronę: wpłatę i tak zauważymy.`] : []),
          ...(watched === 'never' ? [writeFirst] : []),
        ],
        1,
        minimumLitoshi,
      );
    case 'seen':
      return view(
        pl`Widzimy wpłatę w sieci`,
        [
          watched === 'yes'
            ? pl`${ltc(receivedLitoshi)} czeka na pierwsze potwierdzenie, zwykle kilka minut. Nie wysyłaj drugi raz.`
            : pl`${ltc(receivedLitoshi)} czekało na pierwsze potwierdzenie. Nie wysyłaj drugi raz.`,
          ...(watched === 'never' ? [write] : []),
          ...over,
        ],
        3,
      );
    case 'confirming': {
      const { confirmations, requiredConfirmations: required } = donation;
      const minutes = Math.ceil((required - confirmations) * BLOCK_MINUTES);
      return view(
        pl`Potwierdzanie: ${confirmations} z ${required}`,
        [
          watched === 'yes'
            ? pl`Zostało około ${minutes} minut. Nic nie musisz robić.`
            : pl`Tyle potwierdzeń widzieliśmy ostatnio. Nie wysyłaj drugi raz.`,
          ...(watched === 'never' ? [write] : []),
          ...over,
        ],
        3,
      );
    }
    case 'underpaid':
      return view(
        pl`Brakuje ${ltc(missing)}`,
        isOpen
          ? [
              maySend
                ? pl`Dotarło ${ltc(receivedLitoshi)} z ${ltc(minimumLitoshi)}. Dopłać **${ltc(missing)}** na ten sam adres do ${until}.`
                : pl`Dotarło ${ltc(receivedLitoshi)} z ${ltc(minimumLitoshi)}.`,
              ...(watched === 'never' ? [writeFirst] : []),
            ]
          : [pl`Dotarło ${ltc(receivedLitoshi)} z ${ltc(minimumLitoshi)}. Wpłata nie przepadła. ${write}`],
        1,
        isOpen ? missing : 0,
      );
    case 'confirmed':
    case 'forwarding':
      return view(
        pl`Wpłata potwierdzona`,
        [pl`Dziękujemy. Twoja część jest skończona, teraz przekazujemy wpłatę.`, ...over],
        4,
      );
    case 'forwarded':
      return view(
        pl`Gotowe, dziękujemy`,
        [
          pl`Przekazano ${ltc(receivedLitoshi)} (${zl(amountGrosze)}) ${formatDate(donation.statusSince)}, ${formatTime(donation.statusSince)}.`,
        ],
        roleStatus === 'waiting' || roleStatus === 'failed' ? 5 : 6,
      );
    case 'expired':
      return view(
        pl`Czas na wpłatę minął`,
        [
          pl`**Nic nie wysłano?** Zacznij nową wpłatę, nie używaj już tego adresu.`,
          watched === 'yes'
            ? pl`**Wysłano przed ${until}?** Zostaw tę stronę, wpłata pojawi się tu sama.`
            : pl`**Wysłano przed ${until}?** ${write}`,
        ],
        0,
      );
    case 'failed':
      return view(
        receivedLitoshi > 0 ? pl`Wpłaty nie udało się przetworzyć` : pl`Wpłata anulowana`,
        [receivedLitoshi > 0 ? write : pl`Wysłano coś mimo to? ${write}`],
        0,
      );
  }
}

function describeWatch({ status, expiresAt }: Donation, watched: Watched, now: number): string | undefined {
  // The donation's own `error` says it then.
  if (watched === 'yes' || (status === 'pending' && now >= expiresAt)) return undefined;
  if (watched === 'never') return DONATION.nobody;
  // An explorer stops asking for those after a day.
  return status === 'expired' ? undefined : DONATION.behind(watched.since, now);
}
