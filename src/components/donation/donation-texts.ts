import type { PremiumTier } from '#src/donations/donation.ts';
import { formatDate, formatTime, pl } from '../ui/polish.ts';

const NO_BREAK = '\u00a0';
const LITOSHI_PER_LTC = 100_000_000;

const ltcAmounts = new Intl.NumberFormat('pl', { maximumFractionDigits: 8 });
const zlAmounts = new Intl.NumberFormat('pl', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  trailingZeroDisplay: 'stripIfInteger',
});

export function ltc(litoshi: number): string {
  return `${ltcAmounts.format(litoshi / LITOSHI_PER_LTC)}${NO_BREAK}LTC`;
}

export function zl(grosze: number): string {
  return `${zlAmounts.format(grosze / 100)}${NO_BREAK}zł`;
}

/** The time of day, with the day unless it is today. */
export function moment(at: number, now: number): string {
  return formatDate(at) === formatDate(now) ? formatTime(at) : `${formatDate(at)}, ${formatTime(at)}`;
}

export const DONATION = {
  eyebrow: pl`Wpłata dla Czujki`,
  steps: ['Wpłata', pl`W sieci`, 'Potwierdzanie', 'Rola', 'Przekazanie'],
  stepsLabel: 'Przebieg wpłaty',
  pending: {
    title: pl`Czekamy na wpłatę`,
    close: pl`Wyślij dokładnie tę kwotę na podany adres. Potem możesz zamknąć stronę. Wpłatę i tak zobaczymy.`,
  },
  vanished: {
    title: pl`Najpierw zajrzyj do portfela`,
    resend: pl`Pieniądze wróciły? Wyślij ponownie`,
    text: pl`Twoja transakcja przepadła w sieci. Sprawdź w portfelu, czy pieniądze wróciły. Dopiero wtedy wyślij je ponownie.`,
  },
  seen: {
    title: pl`Widzimy wpłatę w sieci`,
    text: pl`Na pierwsze potwierdzenie czeka się zwykle kilka minut. Nie wysyłaj drugi raz.`,
    unwatched: pl`Wpłata czekała na pierwsze potwierdzenie. Nie wysyłaj drugi raz.`,
  },
  confirming: {
    title: (done: number, required: number) => pl`Sieć potwierdza wpłatę: ${done} z ${required}`,
    text: (minutes: number) => pl`Zostało około ${minutes} minut. Nic nie musisz robić.`,
    unwatched: pl`Tyle potwierdzeń widzieliśmy ostatnio. Nie wysyłaj drugi raz.`,
  },
  underpaid: {
    title: (missing: string, value: string) => pl`Brakuje ${missing} (${value})`,
    arrived: (received: string, asked: string) => pl`Dotarło ${received} z ${asked}.`,
    add: pl`Dopłać resztę na ten sam adres.`,
    closed: pl`Wpłata nie przepadła.`,
  },
  confirmed: { title: pl`Wpłata potwierdzona`, text: pl`Dziękujemy. Z Twojej strony to już wszystko.` },
  forwarded: {
    title: (amount: string) => pl`Dziękujemy za ${amount}`,
    text: pl`Z Twojej strony to już wszystko.`,
    at: 'Przekazano',
    where: pl`Wysłane dalej`,
    note: pl`Przekazanie znaczy, że Czujka przenosi wpłatę z tego adresu. Nie musisz nic z tym robić.`,
  },
  expired: {
    title: pl`Czas na wpłatę minął`,
    sent: pl`**Pieniądze już wyszły z portfela?** Nie wysyłaj drugi raz.`,
    again: pl`**Nic nie wyszło z portfela?** Nie używaj już tego adresu i zacznij od nowa.`,
    soon: pl`Zajrzyj tu za kilka minut, wpłata pojawi się sama.`,
    later: pl`Zajrzyj tu później, wpłata pojawi się, gdy sprawdzimy sieć.`,
    button: pl`Zacznij nową wpłatę`,
  },
  failed: {
    title: pl`Z tą wpłatą jest kłopot`,
    text: pl`Pieniądze dotarły, ale coś poszło nie tak. Nie wysyłaj drugi raz.`,
  },
  cancelled: {
    title: pl`Wpłata anulowana`,
    text: pl`Nic już nie wysyłaj na adres tej wpłaty.`,
    sent: pl`**Pieniądze już wyszły z portfela?**`,
  },
  over: (received: string, asked: string) => pl`Dotarło ${received} zamiast ${asked}. Nadwyżka to darowizna.`,
  wallet: pl`Otwórz w portfelu`,
  compare: pl`Porównaj w portfelu pierwsze 10 i ostatnie 6 znaków adresu.`,
  due: {
    title: 'Kwota',
    rest: pl`Do dopłaty`,
    text: (value: string) => pl`${value} · zapłać do `,
    zone: pl`czasu polskiego`,
  },
  address: 'Adres',
  copyAddress: pl`Kopiuj adres`,
  copyAmount: pl`Kopiuj kwotę`,
  copyId: pl`Kopiuj numer`,
  qr: (amount: string) => pl`Kod QR z adresem i kwotą ${amount}`,
  id: pl`Numer wpłaty`,
  received: 'Dotarło',
  asked: 'Kwota',
  amount: (amount: string, value: string) => `${amount} (${value})`,
  /** Premium has a price and gives something for it; a donation does not. */
  kind: 'Rodzaj',
  kinds: {
    monthly: pl`premium na miesiąc`,
    lifetime: pl`premium na zawsze`,
    donation: 'darowizna',
  } satisfies Record<PremiumTier | 'donation', string>,
  /** Nothing is ever taken: each payment is sent by hand. */
  terms: {
    monthly: ['za miesiąc', pl`Nie odnawia się samo.`],
    lifetime: ['raz', pl`Bez daty końca, dopóki działa Czujka.`],
  } satisfies Record<PremiumTier, readonly [price: string, length: string]>,
  gains: pl`Co daje premium`,
  next: pl`Co teraz`,
  openServer: pl`Otwórz serwer`,
  created: 'Utworzono',
  transaction: pl`Transakcja wpłaty`,
  forwardTransaction: pl`Transakcja, w której przekazaliśmy wpłatę dalej`,
  roles: {
    expected: pl`Rola premium pojawi się kilka minut po ostatnim potwierdzeniu.`,
    waiting: pl`Rola premium pojawi się w ciągu kilku minut.`,
    done: pl`Rola premium jest już na Twoim koncie.`,
  },
  roleFailed: { title: pl`Wpłata dotarła, rola jeszcze nie`, text: pl`Nie udało się nadać roli.` },
  write: (contact: string) => pl`[Napisz do nas](${contact}) i podaj numer wpłaty.`,
  keepId: pl`Zachowaj numer wpłaty. Nasz adres pojawi się tutaj.`,
  /** No setting has an address of its own for donors. */
  contact: pl`Masz pytanie o wpłatę? Napisz do nas:`,
  refresh: 'Odśwież',
  behind: (since: number, now: number) =>
    pl`Od ${moment(since, now)} nie mamy świeżych danych z sieci Litecoin. Wpłata nie przepadnie, ale pokażemy ją tutaj z opóźnieniem.`,
  paused: pl`Wpłaty są chwilowo wstrzymane. Nic nie wysyłaj.`,
  /** The time is over, and only a look at the chain ends the donation. */
  blind: pl`W tej chwili nie możemy zajrzeć do sieci Litecoin. Zrobimy to, gdy tylko się da.`,
  /** Spoken and shown by the script; the time left in its last quarter. */
  live: {
    left: pl`Zostało {N} min`,
    leftOne: pl`Została minuta`,
    leftLast: pl`Została niecała minuta`,
  },
  lost: pl`Od minuty nie udaje się odświeżyć tej strony. Jej stan może być nieaktualny.`,
  about: pl`‹ Ceny i zasady wpłat`,
  invalid: { title: pl`Ten link do wpłaty jest niepełny`, text: pl`Skopiuj go jeszcze raz, w całości.` },
  missing: { title: pl`Nie ma takiej wpłaty`, text: pl`Sprawdź, czy link jest cały.` },
  page: {
    title: pl`Wesprzyj Czujkę`,
    description: pl`Na co idą wpłaty w litecoinach, ile kosztuje premium i jak zacząć.`,
    lead: pl`Wspierasz nas litecoinami (LTC).`,
    young: pl`Masz mniej niż 18 lat? Zapytaj najpierw rodzica.`,
    kinds: pl`**Premium** kupujesz za podaną cenę. **Darowizna** to mniejsza wpłata albo nadwyżka ponad cenę, za którą nic nie dostajesz.`,
    pricesNote: pl`Kurs ustalamy, gdy zaczynasz wpłatę. Potem kwota się nie zmienia.`,
    today: (amount: string) => pl`około ${amount} dziś`,
    noTrust: pl`Premium nie oznacza, że ktoś jest na liście zaufanych.`,
    start: {
      monthly: pl`Na miesiąc: zacznij na czacie`,
      lifetime: pl`Na zawsze: zacznij na czacie`,
    } satisfies Record<PremiumTier, string>,
    how: pl`Jak wpłacić`,
    before: pl`Premium i darowizna`,
    seen: pl`Co widzą inni`,
    steps: [
      pl`Dostajesz link do strony z adresem, kwotą i kodem QR. Ten adres służy tylko do tej jednej wpłaty.`,
      pl`Wysyłasz podaną kwotę. Strona sama pokaże, że widzimy wpłatę, i policzy potwierdzenia.`,
      pl`Gdy sieć potwierdzi wpłatę, to już wszystko. Rola premium pojawi się w kilka minut.`,
    ],
    paused: pl`Wpłaty są wstrzymane. Nic nie wysyłaj.`,
    privacy: pl`Na stronie wpłaty nie ma Twoich danych i zobaczy ją tylko ktoś, kto ma link. Sama transakcja jest jawna, jak każda w sieci Litecoin.`,
  },
} as const;
