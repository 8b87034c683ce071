/** Messages to the operator: the questions of a report and of an appeal. */
import type { PublicEntry } from '#src/entries/entry.ts';
import { CHECK } from '../check/check-texts.ts';
import { FIND_ID } from '../check/find-id-texts.ts';
import { answeredIn, pl } from '../ui/polish.ts';

export interface MessageForm {
  /** An e-mail address or a web page. */
  readonly to: string | undefined;
  /** The operator's server on the chat platform. */
  readonly link: string | undefined;
  readonly linkText: string;
  readonly noAddress: string;
  readonly subject: string;
  readonly note: string;
  /** Is said where files are attached. */
  readonly attach?: string;
  /** The page says what happens to the message, and within how many days the operator promises an answer. */
  readonly after: readonly string[];
  readonly afterNote: string;
  /** A step before these that is done already. */
  readonly known?: {
    readonly title: string;
    readonly fields: readonly Readonly<Record<'label' | 'value', string>>[];
  };
  /** The page shows one after another; the last one, sending, comes by itself. */
  readonly steps: readonly MessageStep[];
}

interface MessageStep {
  /** One or two words for the course of steps. */
  readonly title: string;
  readonly fields: readonly {
    readonly label: string;
    readonly hint: string;
    readonly value?: string | undefined;
    /** Visible lines; 1 by default. */
    readonly rows?: number;
    /** One of these is the answer; the hint is not shown. */
    readonly choices?: readonly string[];
    /** The page looks up the entry. */
    readonly lookUp?: keyof typeof MESSAGE.lookUp;
    /** The page says this while the field is empty; without it, the field may stay empty. */
    readonly missing?: string;
  }[];
}

type Operator = App.Locals['services']['operator'];

export const MESSAGE = {
  after: pl`Co dzieje się potem`,
  optional: '(nieobowiązkowe)',
  course: pl`Kroki`,
  next: (title: string) => pl`Dalej: ${title.toLowerCase()}`,
  send: 'Wysyłka',
  last: pl`Sprawdź treść i wyślij.`,
  back: 'Wróć',
  byHand: pl`Skopiuj te punkty do wiadomości i uzupełnij je.`,
  copy: pl`Kopiuj treść`,
  mail: pl`Otwórz w poczcie`,
  address: pl`Adres: `,
  site: (host: string) => pl`Wklej treść na stronie ${host}`,
  attach: pl`Pliki dołącz do wiadomości. Nie masz poczty w telefonie? Skopiuj treść i adres, a potem wyślij z innego urządzenia.`,
  lookUp: {
    report: {
      more: pl`Nowe informacje też się przydadzą.`,
      see: pl`Zobacz wpis w nowej karcie`,
      none: pl`Tego ID nie ma na żadnej liście.`,
      unreadable: CHECK.noId,
      failed: pl`Nie udało się sprawdzić tego ID. Zgłoszenie możesz wysłać mimo to.`,
    },
    appeal: {
      none: pl`Nie znaleźliśmy takiego wpisu. Sprawdź numer albo ID. Możesz też przejść dalej mimo to.`,
      failed: pl`Nie udało się znaleźć wpisu. Odwołanie możesz wysłać mimo to.`,
    },
  },
} as const;

/** How the message gets to the operator, for those who are about to write it. */
export function atEnd({ to, link, noAddress }: MessageForm): string {
  const ways = [
    to !== undefined && (/^https?:/.test(to) ? pl`na stronie ${new URL(to).host}` : 'pocztą'),
    link !== undefined && pl`[na\u00a0serwerze Czujki](${link})`,
  ].filter((way) => way !== false);
  return ways.length === 0 ? noAddress : pl`Na końcu wyślesz to ${ways.join(' albo ')}.`;
}

const ID = pl`ID konta albo serwera`;
const PRIVATE = pl`To, co piszesz, zostaje na Twoim urządzeniu, dopóki tego nie wyślesz.`;

export const PAID = pl`**Już po wpłacie?** [Zobacz, co zrobić od razu](/pomoc#po-wplacie).`;

export function reportForm(
  operator: Pick<Operator, 'reportsContact' | 'reportsLink' | 'reportsAnswerDays'>,
  id?: string,
): MessageForm {
  return {
    to: operator.reportsContact,
    link: operator.reportsLink,
    after: [
      pl`Zgłoszenie czyta człowiek. ${answeredIn(operator.reportsAnswerDays)}`,
      pl`Dopóki go nie potwierdzimy, wpis jest oznaczony jako niepotwierdzony. Zobacz, [jak powstają wpisy](/jak-powstaja-wpisy).`,
      pl`Zgłoszona osoba może się [odwołać](/odwolania).`,
    ],
    afterNote: pl`Napisz, czego nie wiesz na pewno. Fałszywe zgłoszenie krzywdzi kogoś niewinnego.`,
    linkText: pl`Zgłoś na serwerze Czujki`,
    noAddress: pl`Zgłoszeń nie można jeszcze wysłać. Adres pojawi się tutaj.`,
    subject: 'Zgłoszenie konta',
    note: pl`${PRIVATE} Do nas trafia od razu tylko ID, bo sprawdzamy, czy jest już na liście.`,
    attach: pl`Zamaż dane osób, których sprawa nie dotyczy, oraz numery kont i telefonów. Czegoś nie wolno pokazywać? Napisz, a tego nie pokażemy.`,
    steps: [
      {
        title: 'Konto',
        fields: [
          {
            label: ID,
            hint: pl`[${FIND_ID.title}](/pomoc#jak-znalezc-id)`,
            value: id,
            lookUp: 'report',
            missing: pl`Podaj ID konta. Sam nick nie wystarczy.`,
          },
          {
            label: pl`Nick albo nazwa`,
            hint: pl`Z dnia zdarzenia, nawet jeśli się zmienił.`,
          },
        ],
      },
      {
        title: 'Zdarzenie',
        fields: [
          {
            label: pl`Co przepadło`,
            hint: '',
            choices: ['Pieniądze', 'Przedmiot', 'Konto', pl`Jeszcze nic`],
          },
          {
            label: pl`Co się stało`,
            hint: pl`Po kolei: umowa, kwota, kto co wysłał.`,
            rows: 6,
            missing: pl`Napisz, co się stało.`,
          },
          { label: 'Kiedy', hint: pl`Data i godzina, choćby w przybliżeniu.` },
        ],
      },
      {
        title: 'Dowody',
        fields: [
          {
            label: pl`Co masz na dowód`,
            hint: pl`Wypisz, co masz: zrzuty z ID i datą, potwierdzenie wpłaty, linki. Pliki dołączysz do wiadomości. Napisz, czego mamy nie pokazywać.`,
            rows: 6,
          },
        ],
      },
    ],
  };
}

const ENTRY = 'Wpis';
const NUMBER = pl`Numer zgłoszenia`;
const WHICH_ENTRY: MessageStep = {
  title: ENTRY,
  fields: [
    {
      label: pl`${NUMBER} albo ID`,
      hint: pl`Numer jest na stronie wpisu i zaczyna się od „R-”. [${FIND_ID.title}](/pomoc#jak-znalezc-id)`,
      lookUp: 'appeal',
      missing: pl`Podaj numer zgłoszenia albo ID konta.`,
    },
  ],
};

/** @param entry that is appealed against, where the link names it */
export function appealForm(
  operator: Operator,
  entry: Pick<PublicEntry, 'reportId' | 'id'> | undefined,
): MessageForm {
  const known = entry && {
    title: ENTRY,
    fields: [
      { label: NUMBER, value: entry.reportId },
      { label: ID, value: entry.id },
    ],
  };
  return {
    to: operator.appealsContact,
    link: operator.appealsLink,
    after: [
      pl`Człowiek porównuje odwołanie ze zgłoszeniem i dowodami. ${answeredIn(operator.appealsAnswerDays)}`,
      pl`Do decyzji wpis zostaje. Przy nim i w API jest data odwołania, ale nie jego treść.`,
      pl`Potem usuwamy wpis, poprawiamy go, oznaczamy jako niepotwierdzony albo zostawiamy i piszemy dlaczego.`,
    ],
    afterNote: pl`Usunięty wpis znika z list, z wyników i z API. Masz nowe dowody? Możesz odwołać się jeszcze raz.`,
    linkText: pl`Odwołaj się na serwerze Czujki`,
    noAddress: pl`Odwołań nie można jeszcze wysłać. Adres pojawi się tutaj.`,
    subject: entry ? `Odwołanie, nr ${entry.reportId}` : 'Odwołanie',
    note: entry ? PRIVATE : pl`${PRIVATE} Do nas trafia od razu tylko numer albo ID, bo szukamy wpisu.`,
    ...(known && { known }),
    steps: [
      ...(known ? [] : [WHICH_ENTRY]),
      {
        title: 'Wyjaśnienie',
        fields: [
          {
            label: pl`Co się nie zgadza`,
            hint: pl`Napisz, co było inaczej i kiedy.`,
            rows: 6,
            missing: pl`Napisz, co się nie zgadza.`,
          },
        ],
      },
      {
        title: 'Dowody',
        fields: [
          {
            label: pl`Jakie masz dowody`,
            hint: pl`Na przykład zapis rozmowy albo potwierdzenie zwrotu. Wymień je, a pliki dołączysz do wiadomości.`,
            rows: 6,
          },
          {
            label: pl`Jak potwierdzisz, że to Twoje konto`,
            hint: pl`Napisz z niego do nas na serwerze Czujki i wpisz tu datę. Hasła ani kodów nie podawaj nikomu, nam też nie.`,
          },
        ],
      },
    ],
  };
}
