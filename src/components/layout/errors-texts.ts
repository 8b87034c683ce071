import { pl } from '../ui/polish.ts';

/** Texts of the error pages: no colour, no jargon, and nothing that reads like an answer. */
export const ERRORS = {
  notResult: pl`To nie jest wynik sprawdzenia.`,
  again: pl`Spróbuj ponownie`,
  status: pl`Zobacz, co teraz działa`,
  notFound: {
    title: pl`Nie ma takiej strony`,
    text: pl`Wpis mógł zostać usunięty, na przykład po odwołaniu, albo link jest niepełny.`,
    home: pl`Strona główna`,
    from: (contact: string) => pl`Link był na naszej stronie? [Daj znać](${contact}), poprawimy go.`,
  },
  rateLimited: {
    title: (seconds: string) => pl`Za dużo zapytań. Spróbuj ponownie za ${seconds} s.`,
    text: pl`W szkole i w sieci komórkowej wiele osób ma wspólny adres, więc i wspólny limit.`,
  },
  overloaded: {
    title: (seconds: string) => pl`Serwis jest przeciążony. Spróbuj ponownie za ${seconds} s.`,
    text: pl`Za dużo osób korzysta teraz z Czujki.`,
  },
  internal: {
    title: pl`Coś się zepsuło po naszej stronie`,
    text: pl`Nie udało się pobrać danych.`,
    requestId: (id: string) => pl`Kod błędu: ${id}`,
    contact: pl`Błąd się powtarza? Napisz do nas i podaj ten kod:`,
  },
} as const;
