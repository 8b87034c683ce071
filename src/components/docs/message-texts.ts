/** Messages to the operator: what somebody who reports, or appeals, is asked for. */
import { pl } from '../ui/polish.ts';
import { CHECK } from '../check/check-texts.ts';
import type { MessageForm } from './prose/block.ts';

export const MESSAGE = {
  text: pl`Treść wiadomości`,
  byHand: pl`Skopiuj te punkty do wiadomości i uzupełnij je.`,
  copy: pl`Kopiuj treść wiadomości`,
  mail: pl`Otwórz w poczcie`,
  site: (host: string) => pl`Wklej treść na stronie ${host}`,
  attach: pl`Pliki dołącz do wiadomości. Poczta się nie otwiera albo ucina treść? Skopiuj ją i wklej.`,
  lookUp: {
    more: pl`Nowe informacje też się przydadzą.`,
    see: pl`Zobacz wpis w nowej karcie`,
    none: pl`Tego ID nie ma na żadnej liście.`,
    unreadable: CHECK.noId,
    failed: pl`Nie udało się sprawdzić tego ID. Zgłoszenie możesz wysłać mimo to.`,
  },
} as const;

export function reportForm(to: string | undefined): MessageForm {
  return {
    to,
    subject: 'Zgłoszenie konta',
    note: pl`Treść powstaje w Twojej przeglądarce. Do Czujki trafia z niej tylko ID, jak przy każdym sprawdzeniu.`,
    fields: [
      {
        label: pl`ID konta albo serwera`,
        hint: pl`Od 17 do 20 cyfr. [Skąd wziąć ID?](/pomoc#skad-id)`,
        isLookedUp: true,
      },
      { label: pl`Nick albo nazwa`, hint: pl`Jak w chwili zdarzenia.` },
      {
        label: pl`Co się stało`,
        hint: pl`Po kolei: jakie były ustalenia, kto co wysłał, jaka to kwota lub rzecz.`,
        rows: 6,
      },
      { label: 'Kiedy', hint: pl`Data i godzina, choćby w przybliżeniu.` },
      {
        label: 'Dowody',
        hint: pl`Co dołączysz: zrzuty z ID i datą, potwierdzenie wpłaty, linki. Napisz, czego nie wolno pokazać.`,
        rows: 3,
      },
    ],
  };
}

/** What of an entry an appeal names. */
export interface AppealedEntry {
  readonly reportId: string;
  readonly id: string;
}

/** @param entry that is appealed against, where the link names it */
export function appealForm(to: string | undefined, entry: AppealedEntry | undefined): MessageForm {
  return {
    to,
    subject: entry ? `Odwołanie, nr ${entry.reportId}` : 'Odwołanie',
    note: pl`Treść powstaje w Twojej przeglądarce. Nikt jej nie zobaczy, dopóki jej nie wyślesz.`,
    fields: [
      {
        label: pl`Nr zgłoszenia`,
        hint: pl`Litera R, kreska i dziesięć znaków. Jest na stronie wpisu.`,
        value: entry?.reportId,
      },
      { label: pl`ID mojego konta albo serwera`, hint: pl`To, którego dotyczy wpis.`, value: entry?.id },
      { label: pl`Co się nie zgadza`, hint: pl`Opisz, jak było naprawdę.`, rows: 6 },
      {
        label: pl`Co dołączam`,
        hint: pl`Na przykład zapis rozmowy, potwierdzenie wysyłki, zwrotu albo porozumienia.`,
        rows: 3,
      },
      {
        label: pl`Jak sprawdzić, że to moje konto`,
        hint: pl`Hasła ani kodów nie podawaj nikomu.`,
        rows: 2,
      },
    ],
  };
}
