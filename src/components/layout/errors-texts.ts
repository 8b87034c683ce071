import { pl } from '../ui/polish.ts';

/** Pages of things that went wrong: no colour, no jargon, and never to be taken for an answer. */
export const ERRORS = {
  notFound: {
    title: pl`Nie ma takiej strony`,
    text: pl`Sprawdź, czy adres jest cały. Wpis mógł też zostać usunięty, na przykład po odwołaniu.`,
  },
  rateLimited: {
    title: (seconds: string) => pl`Za dużo zapytań. Spróbuj ponownie za ${seconds} s.`,
    text: pl`W szkole i w sieci komórkowej wiele osób ma wspólny adres, więc i wspólny limit.`,
    notResult: pl`To nie jest wynik sprawdzenia.`,
    again: pl`Spróbuj ponownie`,
  },
  overloaded: (seconds: string) => pl`Serwis jest przeciążony. Spróbuj ponownie za ${seconds} s.`,
  internal: {
    title: pl`Coś się zepsuło po naszej stronie`,
    text: pl`Nie udało się pobrać danych. To nie jest wynik sprawdzenia.`,
    requestId: (id: string) => pl`Kod błędu: ${id}`,
  },
} as const;
