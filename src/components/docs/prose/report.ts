import { reportForm } from '../message-texts.ts';
import { pl } from '../../ui/polish.ts';
import type { ProsePage } from './block.ts';
import { contactLink } from './contact.ts';
import type { OperatorFacts } from './contact.ts';

export const reportPage = (operator: OperatorFacts): ProsePage => ({
  title: pl`Zgłoś konto`,
  lead: pl`Zgłoszenie z dowodami ostrzeże następne osoby. Im więcej konkretów, tym szybciej potwierdzimy zgłoszenie.`,
  blocks: [
    { heading: pl`Co przygotować` },
    {
      list: [
        pl`**ID konta albo serwera.** Sam nick nie wystarczy: można go zmienić. [Skąd wziąć ID?](/pomoc#skad-id)`,
        pl`**Opis:** co się stało, kiedy, o jaką kwotę lub rzecz chodzi.`,
        pl`**Dowody:** zrzuty z widocznym ID i datą, potwierdzenie wpłaty, link do ogłoszenia.`,
      ],
    },
    pl`Zamaż dane osób, których sprawa nie dotyczy, oraz numery kont i telefonów. Jeśli dowody zawierają dane, których nie wolno pokazać, napisz o tym: pozostaną niepubliczne.`,
    { heading: pl`Ułóż zgłoszenie` },
    { message: reportForm(operator.reportsContact) },
    { heading: pl`Gdzie wysłać` },
    operator.reportsContact === undefined
      ? pl`**Nie podano jeszcze adresu do zgłoszeń.**`
      : pl`Adres do zgłoszeń: ${contactLink(operator.reportsContact)}.`,
    { heading: pl`Co dzieje się potem` },
    pl`Obsługa czyta zgłoszenie. Dopóki nie da się go potwierdzić, wpis może być tylko na liście ryzyka. Szczegóły: [Jak powstają wpisy](/jak-powstaja-wpisy).`,
    pl`Zgłaszaj tylko to, co się wydarzyło. Osoba wpisana może się [odwołać](/odwolania).`,
    { heading: pl`Pieniądze już wysłane?` },
    pl`Najpierw bank i policja: [co zrobić teraz](/pomoc#po-wplacie).`,
  ],
});
