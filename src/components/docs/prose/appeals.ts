import { appealForm } from '../message-texts.ts';
import type { AppealedEntry } from '../message-texts.ts';
import { countOf, pl } from '../../ui/polish.ts';
import type { ProsePage } from './block.ts';
import { appealsSentence } from './contact.ts';
import type { OperatorFacts } from './contact.ts';

/** @param entry that is appealed against, where the link names it */
export const appealsPage = (operator: OperatorFacts, entry?: AppealedEntry): ProsePage => ({
  title: 'Odwołania',
  lead: pl`Wpis oznacza zgłoszenie, nie wyrok. Jeśli dotyczy Ciebie, możesz się odwołać. Odwołanie jest bezpłatne.`,
  blocks: [
    { heading: pl`Jak się odwołać` },
    {
      steps: [
        pl`[Sprawdź swoje ID](/). Na stronie wpisu jest nr zgłoszenia: litera R, kreska i dziesięć znaków.`,
        pl`Napisz na adres do odwołań. Podaj nr zgłoszenia, swoje ID i to, co się nie zgadza.`,
        pl`Dołącz to, co masz: zapis rozmowy, potwierdzenie wysyłki, zwrotu albo porozumienia.`,
        pl`Napisz, jak możemy się upewnić, że konto należy do Ciebie. Hasła ani kodów nie podawaj nikomu.`,
      ],
    },
    appealsSentence(operator),
    { heading: pl`Ułóż odwołanie` },
    { message: appealForm(operator.appealsContact, entry) },
    { heading: pl`Co dzieje się potem` },
    ...(operator.appealsAnswerDays === undefined
      ? []
      : [
          pl`Odpowiadamy najpóźniej w ciągu ${countOf(operator.appealsAnswerDays, { one: 'dnia', few: 'dni', many: 'dni' })}.`,
        ]),
    pl`Odwołanie porównujemy ze zgłoszeniem i dowodami. Wpis może zostać usunięty, poprawiony, przeniesiony na listę ryzyka albo pozostać bez zmian. Usunięty wpis znika z listy, ze sprawdzania i z API.`,
    { heading: pl`Nie płać za usunięcie wpisu` },
    pl`Nikt poza Czujką nie usuwa wpisów, a Czujka nie bierze za to pieniędzy. Propozycja „zdjęcia z listy” za opłatą to próba wyłudzenia. Zachowaj rozmowę i [zgłoś to konto](/zglos).`,
    { heading: pl`Konto zostało przejęte` },
    pl`Odzyskaj konto, zmień hasło i wyloguj wszystkie urządzenia. W odwołaniu podaj, kiedy konto przejęto i kiedy wróciło do Ciebie.`,
    { heading: pl`Ktoś ma taki sam nick` },
    pl`Wpis dotyczy ID, nie nicku. Jeśli Twojego ID nie ma na liście, wpis nie jest o Tobie. Wyślij rozmówcy link do wyniku sprawdzenia swojego ID.`,
    { heading: pl`Niepubliczne dowody`, id: 'wglad' },
    pl`Dowodów z danymi innych osób nie publikujemy. Jeśli wpis dotyczy Ciebie, napisz na adres do odwołań, podaj nr zgłoszenia i poproś o wgląd.`,
  ],
});
